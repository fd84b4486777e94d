/** A worktree's own git directory as files: what it holds, and which objects it names. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { gitForTree, NO_FILES } from '../../git/worktree-git.ts';
import { complaint, type Git, runGit } from '../../git/run.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, type Oid, parseOid } from '../../judge/facts/names.ts';
import { nativePath } from '../../system/bytes.ts';

/** Stores of submodules: of their files only the sizes are looked at, since git writes objects once. */
const STORES = 'modules';
/** git's lock on the worktree, which comes and goes with what is done to it. */
const LOCK = 'locked';

/** By their paths in it what its entries are, in an order of their own. Throws the system's own fault. */
export function entriesIn(gitDir: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const enter = (folder: string) => {
    for (const name of namesIn(folder === '' ? gitDir : `${gitDir}/${folder}`)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (path === LOCK) continue;
      const native = nativePath(`${gitDir}/${path}`);
      const stats = lstatSync(native);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isDirectory()) {
        found.set(path, `folder ${mode}`);
        enter(path);
      } else if (stats.isSymbolicLink()) found.set(path, `link ${readlinkSync(native, { encoding: 'latin1' })}`);
      else if (!stats.isFile()) found.set(path, `other ${stats.mode}`);
      else if (isIn(path, STORES)) found.set(path, `file ${mode} ${stats.size}`);
      else found.set(path, `file ${mode} ${createHash('sha256').update(readFileSync(native)).digest('hex')}`);
    }
  };
  enter('');
  return found;
}

/** Tells whether two git directories hold the same, but for git's lock. */
export function stateOf(entries: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const [path, what] of entries) hash.update(`${path}\0${what}\0`, 'latin1');
  return hash.digest('hex');
}

function namesIn(folder: string): string[] {
  return readdirSync(nativePath(folder), { encoding: 'buffer' })
    .map((name) => name.toString('latin1'))
    .sort();
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The objects that it names, each once. Those that files name may be no objects of this repository at all. */
export interface NamedObjects {
  /** By HEAD, its reflog, refs and pseudo-refs: that one of them is missing is worth knowing. */
  readonly refs: readonly Oid[];
  /** By whatever else lies there, such as the files of a sequencer, and by its index. */
  readonly others: readonly Oid[];
}

/** @param head what it has checked out: what that reaches is not named again. */
export async function readNamedObjects(
  git: Git,
  gitDir: AbsPath,
  head: Oid,
  platform: string,
): Promise<Fact<NamedObjects>> {
  const refs = new Set<Oid>();
  const others = new Set<Oid>();
  const indexes: string[] = [];
  for (const [path, what] of entriesIn(gitDir)) {
    if (!what.startsWith('file ') || isIn(path, STORES)) continue;
    const bytes = readFileSync(nativePath(`${gitDir}/${path}`));
    if (bytes.toString('latin1', 0, 4) === 'DIRC') {
      if (!path.startsWith('sharedindex.')) indexes.push(path);
      continue;
    }
    const into = isRef(path) ? refs : others;
    for (const [text] of bytes.toString('latin1').matchAll(ID)) {
      const oid = parseOid(text);
      if (oid !== null && !/^0+$/.test(oid) && oid.length === head.length) into.add(oid);
    }
  }
  for (const index of indexes) {
    const listed = await indexObjects(git, { gitDir, index, head, platform });
    if (listed.kind !== 'known') return listed;
    for (const oid of listed.value) others.add(oid);
  }
  for (const oid of refs) others.delete(oid);
  return known({ refs: [...refs], others: [...others] });
}

const ID = /(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/g;

function isRef(path: string): boolean {
  return isIn(path, 'logs') || isIn(path, 'refs') || /^[A-Z][A-Z_]*$/.test(path);
}

interface AskedIndex {
  readonly gitDir: AbsPath;
  /** Its name in the git directory. */
  readonly index: string;
  readonly head: Oid;
  readonly platform: string;
}

/** What entries of all stages and resolve-undo name, and the commit's own tree does not. Submodules name no objects here. */
async function indexObjects(git: Git, { gitDir, index, head, platform }: AskedIndex): Promise<Fact<ReadonlySet<Oid>>> {
  const own = gitForTree(git, { gitDir, path: gitDir }, NO_FILES, platform);
  if (own === null) return unknown('its git directory has a name that is no UTF-8');
  try {
    const asked = { ...own, env: { ...own.env, GIT_INDEX_FILE: `${own.env.GIT_DIR}/${index}` } };
    const [stages, undo, tree] = await Promise.all([
      runGit(asked, ['ls-files', '--stage', '-z']),
      runGit(asked, ['ls-files', '--resolve-undo', '-z']),
      runGit(asked, ['ls-tree', '-r', '-z', '--full-tree', head]),
    ]);
    for (const result of [stages, undo, tree])
      if (result.code !== 0 || result.cut !== null) return unknown(`its index cannot be read: ${complaint(result)}`);
    const held = new Set(idsIn(tree.stdout, 2));
    return known(new Set([...idsIn(stages.stdout, 1), ...idsIn(undo.stdout, 1)].filter((oid) => !held.has(oid))));
  } finally {
    own.close();
  }
}

/** Of records that begin `MODE …`, the id in the column `at`. */
function idsIn(records: Buffer, at: number): Oid[] {
  return records
    .toString('latin1')
    .split('\0')
    .flatMap((record) => {
      const words = record.slice(0, record.indexOf('\t')).split(' ');
      const oid = words[0] === '160000' ? null : parseOid(words[at] ?? '');
      return oid === null ? [] : [oid];
    });
}
