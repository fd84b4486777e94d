/** What a repository inside a worktree holds. Whatever it is, it is no part of the worktree, and holds it. */
import { lstatSync } from 'node:fs';
import { countOwnCommits } from '../../git/read/tree.ts';
import { readConfig } from '../../git/read/repository.ts';
import { gitForTree, NO_FILES } from '../../git/worktree-git.ts';
import type { AbsPath } from '../../judge/facts/names.ts';
import { nativePath } from '../../system/bytes.ts';
import { insideOf, readContents, type TreeSurroundings } from './contents.ts';
import { otherRemotes } from './other-remotes.ts';
import { readPointer } from './pointer.ts';
import { wordsFor } from './submodules.ts';

/** In words, as a byte string. */
export async function nestedRepository(around: TreeSurroundings, path: string): Promise<string> {
  const folder = path as AbsPath;
  const dot = lstatSync(nativePath(`${path}/.git`), { throwIfNoEntry: false });
  let gitDir = folder;
  if (dot?.isDirectory()) gitDir = `${path}/.git` as AbsPath;
  else if (dot !== undefined) {
    const pointer = readPointer(folder);
    if (pointer.kind !== 'known') return 'its .git leads nowhere that can be read';
    gitDir = pointer.value;
  }
  try {
    const git = gitForTree(around.git, { gitDir, path: folder }, NO_FILES, around.platform);
    if (git === null) return 'it cannot be looked into';
    try {
      const config = await readConfig(git);
      const own = config === null ? null : await countOwnCommits(git, otherRemotes(config, [folder, gitDir]));
      if (config === null || own?.kind !== 'known') return 'git cannot read it';
      const words = own.value > 0 ? [`${own.value} commits that none of its remotes has`] : [];
      if (dot !== undefined) {
        const inside = insideOf(around, config);
        const tree = await readContents(inside, { gitDir, path: folder }, path);
        words.push(...(tree.kind === 'known' ? wordsFor(tree.value.contents) : ['files that cannot be told']));
      }
      return words.length === 0 ? 'nothing of its own, as last fetched' : words.join(', ');
    } finally {
      git.close();
    }
  } catch {
    return 'it cannot be looked into';
  }
}
