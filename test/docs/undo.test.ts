/** The commands of docs/undo.md, in its order, on a repository with a worktree and branches that go. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applySweep, squashed, undo } from '../support/acts.ts';
import { runCli } from '../support/cli.ts';
import { settings } from '../support/state.ts';
import { gitAt, temporaryDesk } from '../support/worktree.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/undo.md'), 'utf8');
/** The lines of its blocks, without what follows a number sign. */
const lines = [...page.matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, block = '']) => block.split('\n'))
  .map((line) => line.replace(/ +#.*/, ''))
  .filter((line) => line !== '');

it('does what it says', async () => {
  const { r, desk } = temporaryDesk();
  writeFileSync(join(desk, '.env'), 'SECRET=1');
  squashed(r, 'feature/login');
  r.publish();
  const ran: string[] = [];
  /** Runs a line of the page, with the id in its place. */
  const run = async (line: string, id = '') => {
    expect(lines).toContain(line);
    ran.push(line);
    return runCli(
      line
        .replace(/ID|NOTE|COPY/, id)
        .split(' ')
        .slice(1),
      { cwd: r.work, env: r.env },
    );
  };
  const put = async () => {
    const { sweep } = await applySweep(r);
    return sweep.rows.find(({ id }) => id === 'worktree:desk')?.outcome?.undo?.split(' ')[2] ?? '';
  };
  await put();
  expect((await run('coppice history')).stdout).toContain('coppice undo ');
  expect((await run('coppice undo --last')).code).toBe(0);
  expect(existsSync(desk)).toBe(true);
  expect((await run('coppice undo ID', await put())).code).toBe(0);
  expect((await run('coppice undo --branch feature/login')).code).toBe(0);

  let id = await put();
  mkdirSync(desk);
  expect((await undo(r, id)).json).toMatchObject({ code: 'path-taken' });
  expect((await run('coppice undo ID --to ../elsewhere', id)).code).toBe(0);
  r.git('worktree', 'move', join(r.places.root, 'elsewhere'), join(desk, 'desk'));
  r.git('tag', 'kept', 'topic');

  id = await put();
  r.git('branch', '--force', 'topic', 'main');
  expect((await undo(r, id)).json).toMatchObject({ code: 'branch-moved' });
  expect((await run('coppice undo ID --detach', id)).code).toBe(0);
  gitAt(r, join(desk, 'desk'), 'checkout', '--quiet', '-B', 'topic', 'kept');
  id = await put();
  r.git('branch', '--force', 'topic', 'main');
  expect((await run('coppice undo ID --as login-again', id)).code).toBe(0);
  expect(gitAt(r, join(desk, 'desk'), 'branch', '--show-current')).toBe('login-again');

  id = await put();
  expect((await run('coppice purge')).code).toBe(1);
  expect((await run('coppice purge --id ID --apply', id)).code).toBe(0);
  expect((await run('coppice purge --all --apply')).code).toBe(0);

  const { json } = await runCli(['notes', 'list', '--json'], { cwd: r.work, env: r.env });
  const [note] = json?.schema === 'coppice.notes.v1' ? json.notes : [];
  expect((await run('coppice notes list')).stdout).toContain(note?.id);
  expect((await run('coppice notes show NOTE', note?.id)).stdout).toContain('.env');
  expect((await run('coppice notes restore NOTE --to ../env', note?.id)).code).toBe(0);
  expect(readFileSync(join(r.places.root, 'env/.env'), 'utf8')).toBe('SECRET=1');
  mkdirSync(desk, { recursive: true });
  expect((await run('coppice notes restore NOTE', note?.id)).code).toBe(0);
  expect((await run('coppice notes delete NOTE --apply', note?.id)).code).toBe(0);

  settings(r, `roots.also = ["${r.places.root}/managed"]\n`);
  const dirty = r.worktree('managed/dirty', 'main', '-b', 'dirty');
  writeFileSync(join(dirty, 'package.json'), '{"staged": 1}\n');
  gitAt(r, dirty, 'add', '.');
  writeFileSync(join(dirty, 'package.json'), '{"later": 1}\n');
  await applySweep(r);
  const saved = await runCli(['salvage', 'list', '--json'], { cwd: r.work, env: r.env });
  const [copy] = saved.json?.schema === 'coppice.salvage.v1' ? saved.json.notes : [];
  expect((await run('coppice salvage list')).stdout).toContain(copy?.id);
  expect((await run('coppice salvage show COPY', copy?.id)).stdout).toContain('tree/package.json');
  expect((await run('coppice salvage restore COPY', copy?.id)).code).toBe(0);
  expect((await run('coppice salvage restore COPY --to ../saved', copy?.id)).code).toBe(0);
  const fresh = r.worktree('fresh', copy?.head ?? '', '--detach');
  for (const patch of ['git apply --index ../saved/staged.patch', 'git apply ../saved/unstaged.patch']) {
    ran.push(patch);
    gitAt(r, fresh, ...patch.split(' ').slice(1));
  }
  expect(gitAt(r, fresh, 'diff')).toBe(gitAt(r, dirty, 'diff'));
  expect((await run('coppice salvage delete COPY --apply', copy?.id)).code).toBe(0);
  expect([...new Set(ran)].sort()).toEqual([...new Set(lines)].sort());
});
