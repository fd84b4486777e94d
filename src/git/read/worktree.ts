/** The worktree around a folder, as git sees it. */
import { type AbsPath, type Oid, parseAbsPath, parseOid, parseRefName, type RefName } from '../../judge/facts/names.ts';
import { UserError } from '../../judge/facts/user-error.ts';
import { type Git, runGit } from '../run.ts';

/** Paths are byte strings without links on the way. */
export interface WorktreePlace {
  readonly commonDir: AbsPath;
  /** Its own git directory. */
  readonly gitDir: AbsPath;
  readonly top: AbsPath;
  /** Null: detached. */
  readonly branch: RefName | null;
  /** Null: there is no commit yet. */
  readonly head: Oid | null;
}

/**
 * Null: there is a repository, and no worktree around the folder.
 * @throws UserError `repository-damaged`
 */
export async function readWorktreePlace(git: Git): Promise<WorktreePlace | null> {
  const ask = async (...args: readonly string[]) => {
    const result = await runGit(git, args);
    return result.code === 0 ? result.stdout.toString('latin1').replace(/\n$/, '') : null;
  };
  // One question each: a path may hold line feeds.
  const absolute = ['rev-parse', '--path-format=absolute'] as const;
  const [inside, common, own, top, ref, id] = await Promise.all([
    ask('rev-parse', '--is-inside-work-tree'),
    ask(...absolute, '--git-common-dir'),
    ask(...absolute, '--git-dir'),
    ask(...absolute, '--show-toplevel'),
    ask('symbolic-ref', '--quiet', 'HEAD'),
    ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
  ]);
  if (inside !== 'true') return null;
  const [commonDir, gitDir, folder] = [common, own, top].map((path) => parseAbsPath(path ?? ''));
  if (!commonDir || !gitDir || !folder) {
    throw new UserError('repository-damaged', 'git does not tell where its worktree lies in a form that can be read');
  }
  return { commonDir, gitDir, top: folder, branch: parseRefName(ref ?? ''), head: parseOid(id ?? '') };
}
