/** A repository to be a submodule. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';
import { gitAt, landMore } from './worktree.ts';

/**
 * A library with a library of its own in `inner`, and on `topic` a submodule of it, recorded at the first of its two commits.
 * @param at where in the worktree.
 */
export function withLibrary(r: Repository, at = 'lib'): void {
  const { root } = r.places;
  for (const name of ['inner', 'lib']) {
    const made = join(root, `${name}-made`);
    r.git('init', '-q', '-b', 'main', made);
    r.gitWith({ cwd: made }, 'commit', '-q', '--allow-empty', '-m', 'start');
    if (name === 'lib') gitAt(r, made, 'submodule', '--quiet', 'add', join(root, 'inner.git'), 'inner');
    writeFileSync(join(made, 'file'), 'one\n');
    writeFileSync(join(made, '.gitignore'), '*.log\n');
    gitAt(r, made, 'add', '--all');
    gitAt(r, made, 'commit', '-q', '-m', 'one');
    r.git('clone', '-q', '--bare', made, join(root, `${name}.git`));
  }
  landMore(r, () => r.git('submodule', '--quiet', 'add', join(root, 'lib.git'), at));
  const made = join(root, 'lib-made');
  appendFileSync(join(made, 'file'), 'two\n');
  gitAt(r, made, 'commit', '-q', '-a', '-m', 'two');
  gitAt(r, made, 'push', '-q', join(root, 'lib.git'), 'main');
}
