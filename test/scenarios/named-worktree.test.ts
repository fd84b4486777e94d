/** What one worktree that is named is judged by besides: `branch-stays`, and `pushed`. */
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { temporaryDesk } from '../support/worktree.ts';

it.each([
  ['branch-stays', ['--keep-branch', '--no-fetch']],
  ['pushed', []],
])('%s', async (code, words) => {
  const { r } = temporaryDesk();
  r.git('push', '--quiet', 'origin', 'topic');
  const { json } = await runCli(['retire', 'topic', '--json', ...words], { cwd: r.work, env: r.env });
  if (json?.schema !== 'coppice.retire.v1') throw new Error('no retirement');
  expect(json.rows[0]?.evidence.filter(({ effect }) => effect === 'spent').map((one) => one.code)).toContain(code);
});
