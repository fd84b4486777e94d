/** Rows of what a sweep names and never touches: strays in managed roots, and protected places. */
import { type Evidence, holds } from './evidence.ts';
import type { AbsPath } from './facts/names.ts';
import type { StrayFacts } from './facts/place.ts';
import type { Row } from './row.ts';

export function judgeStray({ path, what, of }: StrayFacts): Row {
  const isOther = what === 'repository' || what === 'worktree';
  const evidence = isOther
    ? holds('other-repository', `${WHAT[what]}, ${of ?? path}`, { source: 'files' })
    : holds('no-worktree', WHAT[what], { source: 'files' });
  return { ...placeRow('stray', path, evidence), kind: 'stray', state: { repository: of } };
}

export function judgeProtected(path: AbsPath): Row {
  const evidence = holds('protected', 'the settings protect this place: nothing in it is read', { source: 'config' });
  return { ...placeRow('protected', path, evidence), kind: 'protected', state: {} };
}

const WHAT: Readonly<Record<StrayFacts['what'], string>> = {
  repository: 'a repository of its own',
  worktree: 'a worktree of another repository',
  unregistered: 'its .git file names this repository, which does not list it as a worktree',
  folder: 'a folder, and no worktree',
  file: 'a file, and no worktree',
  link: 'a symbolic link, and no worktree',
  broken: 'its .git file cannot be understood',
  unreadable: 'it cannot be looked at',
};

function placeRow(kind: string, path: AbsPath, evidence: Evidence) {
  return {
    id: `${kind}:${path}`,
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    action: 'keep' as const,
    reason: { code: evidence.code, text: evidence.text },
    evidence: [evidence],
  };
}
