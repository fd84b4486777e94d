/** Repositories that are laid out in other ways: their linked worktrees are judged as all others, by their own files. */
import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { ALPHA, BETA, type Repository, temporaryRepository } from '../support/repository.ts';
import { codesIn, expectCodes, gitAt, rowOf, temporaryMerged } from '../support/worktree.ts';

/** Three worktrees of merged work: one clean, one with an edit, one with an edit that status hides. */
function threeDesks(r: Repository, at: (name: string) => string): void {
  for (const name of ['clean', 'dirty', 'hidden'])
    r.git('worktree', 'add', '-q', '-b', `desk/${name}`, at(name), 'topic');
  appendFileSync(join(at('dirty'), ALPHA), 'x');
  gitAt(r, at('hidden'), 'update-index', '--assume-unchanged', BETA);
  appendFileSync(join(at('hidden'), BETA), 'x');
}

const layouts: Readonly<Record<string, (r: Repository) => (name: string) => string>> = {
  'the git directory lies elsewhere': (r) => {
    const store = join(r.places.root, 'store');
    r.git('init', '-q', '--separate-git-dir', store);
    return (name) => join(r.places.root, name);
  },
  'the git directory is a link': (r) => {
    const store = join(r.places.root, 'store');
    renameSync(r.path('.git'), store);
    symlinkSync(store, r.path('.git'));
    return (name) => join(r.places.root, name);
  },
  'the worktrees lie below the main one': (r) => {
    r.write('.git/info/exclude', ['/.trees']);
    return (name) => r.path(join('.trees', name));
  },
  'the worktrees lie in the git directory': (r) => (name) => r.path(join('.git', 'trees', name)),
  'the worktrees lie in a bare repository': (r) => {
    const bare = join(r.places.root, 'bare.git');
    renameSync(r.path('.git'), bare);
    r.work = bare;
    r.git('config', 'core.bare', 'true');
    return (name) => join(bare, 'trees', name);
  },
  'a file names the bare repository beside the worktrees': (r) => {
    const place = join(r.places.root, 'project');
    mkdirSync(place);
    renameSync(r.path('.git'), join(place, '.bare'));
    writeFileSync(join(place, '.git'), 'gitdir: ./.bare\n');
    r.work = place;
    r.git('config', 'core.bare', 'true');
    return (name) => join(place, name);
  },
};

describe.each(Object.entries(layouts))('%s', (_title, layout) => {
  it('and each is judged by its own files', async () => {
    const r = temporaryMerged();
    const at = layout(r);
    threeDesks(r, at);
    for (const cwd of [r.work, at('dirty')]) {
      const sweep = await look(r, { cwd });
      const here = cwd === r.work ? [] : ['current-worktree'];
      expectCodes(codesIn(sweep, 'clean'), {});
      expectCodes(codesIn(sweep, 'dirty'), { holds: ['modified', ...here] });
      expectCodes(codesIn(sweep, 'hidden'), { holds: ['hidden-edits'] });
      expect(rowOf(sweep, 'clean').path).toBe(at('clean'));
    }
  });
});

it('a submodule with worktrees of its own', async () => {
  const lib = temporaryMerged();
  const r = temporaryRepository();
  r.git('submodule', '--quiet', 'add', lib.work, 'lib');
  r.work = r.path('lib');
  r.git('branch', '-q', 'topic', 'origin/topic');
  threeDesks(r, (name) => join(r.places.root, name));
  const sweep = await look(r);
  expectCodes(codesIn(sweep, 'clean'), {});
  expectCodes(codesIn(sweep, 'dirty'), { holds: ['modified'] });
  expectCodes(codesIn(sweep, 'hidden'), { holds: ['hidden-edits'] });
});

it('a repository of the other object format', async () => {
  const r = temporaryRepository({ objectFormat: 'sha256' });
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.toMain();
  r.squash('topic');
  r.publish();
  threeDesks(r, (name) => join(r.places.root, name));
  gitAt(r, join(r.places.root, 'clean'), 'update-index', '--skip-worktree', ALPHA);
  const sweep = await look(r);
  expectCodes(codesIn(sweep, 'clean'), {});
  expectCodes(codesIn(sweep, 'dirty'), { holds: ['modified'] });
  expectCodes(codesIn(sweep, 'hidden'), { holds: ['hidden-edits'] });
});

it('a shallow clone', async () => {
  const whole = temporaryMerged();
  const r = temporaryRepository();
  r.work = join(r.places.root, 'shallow');
  r.gitWith({ cwd: r.places.root }, 'clone', '-q', '--depth', '2', `file://${whole.work}`, r.work);
  r.git('worktree', 'add', '-q', '--detach', join(r.places.root, 'desk'));
  writeFileSync(join(r.places.root, 'desk', 'new'), '');
  expect(codesIn(await look(r), 'desk').holds).toContain('untracked');
});
