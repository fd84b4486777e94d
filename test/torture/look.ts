/** What stands in a repository, read by the test's own means: refs, reflogs, settings of branches, all HEADs. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromWritten } from '../../src/state/text.ts';
import type { Ground } from './ground.ts';

/** One branch. */
export interface Standing {
  readonly tip: string;
  /** Null: it has none. */
  readonly reflog: string | null;
  /** Its sections of the configuration, as they are written. */
  readonly sections: string;
}

export interface Seen {
  readonly branches: ReadonlyMap<string, Standing>;
  /** Sections of branches that are not there. */
  readonly orphans: ReadonlyMap<string, string>;
  /** All that no verb may change: other refs, what the clone stands on, its index, other settings. */
  readonly rest: ReadonlyMap<string, string>;
  /** Branches that some worktree has checked out, rebases or bisects. */
  readonly used: ReadonlySet<string>;
}

export async function see(ground: Ground): Promise<Seen> {
  const gitDir = ground.r.path('.git');
  const refs = await ground.answer('for-each-ref', '--format=%(refname) %(objectname)');
  const settings = sectionsIn(text(join(gitDir, 'config')) ?? '');
  const rest = new Map<string, string>([['settings', settings.others]]);
  const branches = new Map<string, Standing>();
  for (const line of refs.split('\n').filter((one) => one !== '')) {
    const [ref = '', tip = ''] = line.split(' ');
    const name = /^refs\/heads\/(.*)$/.exec(ref)?.[1];
    if (name !== undefined) {
      const reflog = text(join(gitDir, 'logs', ref));
      branches.set(name, { tip, reflog, sections: settings.branches.get(name) ?? '' });
      settings.branches.delete(name);
    } else if (!ref.startsWith('refs/coppice/')) rest.set(ref, tip);
  }
  const used = new Set<string>();
  for (const folder of gitFoldersOf(gitDir)) {
    for (const file of ['HEAD', 'index', 'rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']) {
      const content = text(join(folder, file));
      if (content === null) continue;
      // Linked worktrees have books of their own.
      if (folder === gitDir) rest.set(join(folder, file), content);
      if (file === 'index') continue;
      const name = content.trim().replace(/^ref: /, '');
      used.add(file === 'BISECT_START' ? name : name.replace(/^refs\/heads\//, ''));
    }
  }
  return { branches, orphans: settings.branches, rest, used };
}

/** Of the clone and of all linked worktrees. */
function gitFoldersOf(gitDir: string): string[] {
  const linked = join(gitDir, 'worktrees');
  return [gitDir, ...(existsSync(linked) ? readdirSync(linked).map((name) => join(linked, name)) : [])];
}

/** Null: it is not there. */
function text(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** No value that these tests write has a line that begins like a header. */
function sectionsIn(config: string): { branches: Map<string, string>; others: string } {
  const branches = new Map<string, string>();
  let others = '';
  for (const chunk of config.split(/^(?=[ \t]*\[)/m)) {
    const quoted = /^\s*\[branch\s+"((?:[^"\\]|\\.)*)"\]/i.exec(chunk)?.[1];
    if (quoted === undefined) others += chunk;
    else {
      const name = quoted.replace(/\\(.)/g, '$1');
      branches.set(name, (branches.get(name) ?? '') + chunk);
    }
  }
  return { branches, others };
}

/** Every commit that something of the user's reaches: refs, reflogs, the HEADs of all worktrees. */
export async function heldByUser(ground: Ground): Promise<Set<string>> {
  return list(await ground.answer('rev-list', '--exclude=refs/coppice/*', '--all', '--reflog'));
}

/** The same, with coppice's anchors. */
export async function held(ground: Ground): Promise<Set<string>> {
  return list(await ground.answer('rev-list', '--all', '--reflog'));
}

function list(text: string): Set<string> {
  return new Set(text.split('\n').filter((line) => line !== ''));
}

/** Lock files, and files that something was about to be made from; what waits in the trash goes with it. */
export function leftovers(ground: Ground): string[] {
  const found: string[] = [];
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!path.endsWith('/coppice/trash')) visit(path);
      } else if (/\.lock$|\/config\.next$|\/purging\/|\.tmp/.test(path))
        found.push(path.slice(ground.r.work.length + 1));
    }
  };
  visit(ground.r.path('.git'));
  return [...found, ...faultyNotes(ground)];
}

/** Copies that were never finished, or that are not what their lists say. */
function faultyNotes({ r }: Ground): string[] {
  const top = join(r.places.coppiceHome, 'notes');
  const notes = existsSync(top) ? readdirSync(top).flatMap((root) => entriesOf(join(top, root))) : [];
  return notes.filter((note) => {
    if (!existsSync(join(note, 'note.json'))) return true;
    const lines = readFileSync(join(note, 'files.jsonl'), 'utf8').split('\n').slice(0, -1);
    const files = lines.map((line): { path: string; kind: string; sha256: string } => JSON.parse(line));
    return files.some(
      ({ path, kind, sha256 }) =>
        kind === 'file' &&
        createHash('sha256')
          .update(readFileSync(Buffer.from(`${note}/files/${fromWritten(path)}`, 'latin1')))
          .digest('hex') !== sha256,
    );
  });
}

function entriesOf(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
