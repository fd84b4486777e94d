/** What can be said of worktrees from the list of git and their git directories alone. */
import type { ListedWorktree } from '../../git/parse/worktree-list.ts';
import type { Ref } from '../../git/parse/refs.ts';
import type { Admin } from '../../git/read/checkouts.ts';
import { type AbsPath, type Oid, parseAbsPath, parseOid, parseRefName, type RefName } from '../../judge/facts/names.ts';
import type { FileId, Identity } from '../../judge/facts/worktree.ts';
import { nativePath } from '../../system/bytes.ts';
import { readBounded } from '../../system/files.ts';
import { isWithin, realPathOr } from '../../system/paths.ts';
import { identify } from './identity.ts';

export interface Outline {
  readonly admin: string | null;
  readonly gitDir: AbsPath;
  readonly path: AbsPath;
  /** The same without links on the way; the path itself where it cannot be told. */
  readonly realPath: string;
  readonly branch: RefName | null;
  readonly head: Oid | null;
  readonly identity: Identity;
}

export interface Listing {
  readonly commonDir: AbsPath;
  readonly listed: readonly ListedWorktree[];
  readonly admins: readonly Admin[];
  readonly refs: readonly Ref[];
  readonly account: number | null;
  /** Null: what is wrong with the repository's settings, so that git's word on files is not to be believed. */
  readonly damage: string | null;
}

/** The main worktree never goes, so that nobody asks which folder it was. */
const NOBODY: FileId = { device: '0', inode: '0' };

export function outline(survey: Listing): Outline[] {
  const { listed, admins, commonDir, account } = survey;
  const oids = new Map(survey.refs.map((ref) => [ref.name, ref.oid]));
  const found: Outline[] = [];
  const [main] = listed;
  if (main !== undefined && (!main.bare || survey.damage !== null)) {
    const { path, branch, head } = main;
    found.push({
      admin: null,
      gitDir: commonDir,
      path,
      realPath: realPathOr(path),
      branch,
      head,
      identity: main.bare
        ? { kind: 'repository-damaged', why: survey.damage ?? '' }
        : { kind: 'proven', folder: NOBODY, gitDir: NOBODY },
    });
  }
  for (const admin of admins) {
    const path = parseAbsPath(admin.path ?? '') ?? (admin.folder as AbsPath);
    if (isWithin(path, `${commonDir}/coppice`)) continue;
    const one = listed.find((worktree, index) => index > 0 && worktree.path === path);
    const { branch, head } = one ?? headOf(admin, oids);
    const identity = identify(commonDir, admin, account);
    found.push({
      admin: admin.name,
      gitDir: admin.folder as AbsPath,
      path,
      realPath: realPathOr(path),
      branch,
      head,
      identity,
    });
  }
  return found;
}

/** As its git directory tells, where git does not list it. */
function headOf(admin: Admin, oids: ReadonlyMap<RefName, Oid>): { branch: RefName | null; head: Oid | null } {
  const contents = readBounded(nativePath(`${admin.folder}/HEAD`), 64 * 1024);
  const text = contents.kind === 'known' ? contents.value.toString('latin1').trimEnd() : '';
  const branch = text.startsWith('ref: ') ? parseRefName(text.slice(5)) : null;
  return { branch, head: branch === null ? parseOid(text) : (oids.get(branch) ?? null) };
}
