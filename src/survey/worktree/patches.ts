/** What differs from the commit, as patches that git can apply. */
import { complaint, type Git, runGit } from '../../git/run.ts';
import { gitForTree, type TreePlace } from '../../git/worktree-git.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { ownSettings, type TreeSurroundings } from './contents.ts';
import { standInFor } from './split-index.ts';

export interface Patches {
  /** From the commit to the index. */
  readonly staged: Buffer;
  /** From the index to the files. */
  readonly unstaged: Buffer;
}

const FLAGS = ['--patch', '--binary', '--full-index', '--no-renames', '--ignore-submodules=all'];

export async function readPatches(around: TreeSurroundings, place: TreePlace): Promise<Fact<Patches>> {
  const own = await ownSettings(around, place);
  if (own === null) return unknown('its own settings cannot be read');
  const standIn = standInFor(place.gitDir);
  const git = gitForTree(around.git, { ...place, gitDir: standIn?.gitDir ?? place.gitDir }, own, around.platform);
  try {
    if (git === null) return unknown('its name is no UTF-8, and there is no way to start git in it here');
    const staged = await patchOf(git, ['diff-index', '--cached', ...FLAGS, 'HEAD', '--']);
    if (staged.kind !== 'known') return staged;
    const unstaged = await patchOf(git, ['diff-files', ...FLAGS, '--']);
    return unstaged.kind === 'known' ? known({ staged: staged.value, unstaged: unstaged.value }) : unstaged;
  } finally {
    git?.close();
    standIn?.remove();
  }
}

async function patchOf(git: Git, args: readonly string[]): Promise<Fact<Buffer>> {
  const result = await runGit(git, args);
  return result.code === 0 && result.cut === null ? known(result.stdout) : unknown(complaint(result));
}
