/** What of a worktree differs from its commit, path by path: what a copy of its changes must hold. */
import type { StatusEntry } from '../../git/parse/status.ts';
import type { Changes, IndexEntry } from '../../judge/facts/worktree.ts';

export interface ChangesRequest {
  readonly status: readonly StatusEntry[];
  /** Edits that status does not show. */
  readonly hidden: readonly string[];
  /** Paths with a filter whose bytes are as they should be. */
  readonly clean: ReadonlySet<string>;
  /** Folders that are repositories. */
  readonly repositories: ReadonlySet<string>;
}

export function changesIn({ status, hidden, clean, repositories }: ChangesRequest): Changes {
  const index: IndexEntry[] = [];
  const paths = new Set<string>(hidden);
  const without: string[] = [];
  for (const entry of status) {
    const path = entry.path.replace(/\/$/, '');
    if (entry.kind === 'ignored') continue;
    if (entry.kind === 'untracked') {
      if (repositories.has(path)) without.push(path);
      else paths.add(path);
      continue;
    }
    // Of a submodule the commit is recorded, and what it holds is its own.
    const isSubmodule = entry.submodule.startsWith('S');
    if (isSubmodule) without.push(path);
    if (entry.kind === 'unmerged') {
      for (const [at, staged] of entry.stages.entries())
        if (staged !== null) index.push({ path, stage: at + 1, ...staged });
      if (!isSubmodule) paths.add(path);
      continue;
    }
    const [inIndex, inTree] = entry.states;
    if (inIndex !== '.')
      index.push({ path, stage: 0, mode: entry.index?.mode ?? '000000', oid: entry.index?.oid ?? null });
    if (!isSubmodule && (inIndex !== '.' || (inTree !== '.' && !clean.has(path)))) paths.add(path);
  }
  return { index, paths: [...paths], without };
}
