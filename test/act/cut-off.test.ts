/** Something was cut off, somebody goes on with the same names, and then coppice ends it: what is theirs stays theirs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applySweep, filesBelow, squashedRepository, standing, undo } from '../support/acts.ts';
import { errorOf, runCli } from '../support/cli.ts';
import { standInGit, withProgramsOf } from '../support/programs.ts';
import type { Repository } from '../support/repository.ts';

const ask = (r: Repository, ...words: readonly string[]) => runCli([...words, '--json'], { cwd: r.work, env: r.env });

/** As a crash leaves the record directly before its last lines: no act of the verb came to its end. */
function forgetEnds(r: Repository, verb: string): void {
  for (const file of filesBelow(r.path('.git/coppice/journal'))) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const isEnd = (line: string) => line.includes(`"verb":"${verb}"`) && line.includes('"step":"done"');
    writeFileSync(file, lines.filter((line) => !isEnd(line)).join('\n'));
  }
}

/** Two branches were deleted, of which one had settings, and that is not on record. */
async function sweptAndCut() {
  const r = squashedRepository('a', 'b');
  r.git('config', 'branch.a.description', 'about a');
  const [before, tip] = [standing(r), r.id('a')];
  const { outcomes } = await applySweep(r);
  const id = outcomes.get('a')?.undo?.split(' ')[2] ?? '';
  forgetEnds(r, 'sweep');
  return { r, before, tip, id };
}

/** How the act stands on record. */
async function actOf(r: Repository, id: string) {
  const { json } = await ask(r, 'history');
  if (json?.schema !== 'coppice.history.v1') throw new Error('no history');
  return json.acts.find((act) => act.id === id);
}

describe('a deletion that was cut off at its end', () => {
  it('leaves a branch alone that somebody made anew at the very same commit', async () => {
    const { r, tip, id } = await sweptAndCut();
    r.git('branch', '--no-track', 'a', tip);
    const theirs = standing(r);
    await ask(r, 'purge', '--apply');
    expect(standing(r)).toEqual(theirs);
    expect(await actOf(r, id)).toMatchObject({ end: 'done', undo: { state: 'open' } });
    expect((await undo(r, id, '--as', 'again')).code).toBe(0);
    expect(r.git('config', 'branch.again.description')).toBe('about a');
  });

  it('of which no trace is there leaves the settings, and can be undone', async () => {
    const { r, before, id } = await sweptAndCut();
    for (const ref of r.git('for-each-ref', '--format=%(refname)', 'refs/coppice').split('\n'))
      r.git('update-ref', '-d', ref);
    writeFileSync(r.path('.git/config'), before.get('config') ?? '', 'latin1');
    await ask(r, 'purge', '--apply');
    expect(r.git('config', 'branch.a.description')).toBe('about a');
    expect((await undo(r, id)).code).toBe(0);
    expect((await undo(r, '--last')).code).toBe(0);
    expect(standing(r)).toEqual(before);
  });

  it('needs what is in the trash until it is ended', async () => {
    const { r, before } = await sweptAndCut();
    const body = `case "$*" in *for-each-ref*refs/heads*) exit 1 ;; esac\nexec "$GIT" "$@"`;
    const env = withProgramsOf(standInGit(r.places.root, body), r.env);
    const { json } = await runCli(['purge', '--all', '--apply', '--json'], { cwd: r.work, env });
    const why = expect.stringContaining('not ended yet');
    expect(json).toMatchObject({ items: [{ kind: 'trash', outcome: { status: 'kept', text: why } }, {}] });
    expect((await undo(r, '--last')).code).toBe(0);
    expect(standing(r)).toEqual(before);
  });
});

it('an undo that was cut off at its end leaves a branch alone that somebody deleted and made anew', async () => {
  const { r, tip, id } = await sweptAndCut();
  expect((await undo(r, id)).code).toBe(0);
  forgetEnds(r, 'undo');
  r.git('branch', '-D', 'a');
  r.git('branch', '--no-track', 'a', tip);
  const theirs = standing(r);
  await ask(r, 'purge', '--apply');
  expect(standing(r)).toEqual(theirs);
  expect(await actOf(r, id)).toMatchObject({ undo: { state: 'open' } });
});

it.each([
  ['one', ['--as', 'z'], 'z'],
  ['several', [], 'a'],
])('an undo of %s does not take a branch for its own that somebody makes meanwhile', async (_title, words, name) => {
  const { r, id } = await sweptAndCut();
  const once = join(r.places.root, 'once');
  const body = `case "$*" in *cat-file*) test -e '${once}' || (touch '${once}'; "$GIT" -C '${r.work}' branch --no-track ${name} main~1) ;; esac
exec "$GIT" "$@"`;
  const env = withProgramsOf(standInGit(r.places.root, body), r.env);
  const asked = words.length === 0 ? ['--last'] : [id, ...words];
  const { json } = await runCli(['undo', '--json', ...asked], { cwd: r.work, env });
  const why = expect.stringContaining('another one of that name');
  if (words.length > 0) expect(json).toMatchObject({ code: 'not-restored', text: why });
  else expect(json).toMatchObject({ rows: [{ name: 'a', outcome: { status: 'failed', text: why } }, { name: 'b' }] });
  expect(r.id(name)).toBe(r.id('main~1'));
  expect(r.tryGit({}, 'config', `branch.${name}.description`).code).toBe(1);
  expect(await actOf(r, id)).toMatchObject({ undo: { state: 'open' } });
});

it('a reflog without entries is not the beginning of every other', async () => {
  const r = squashedRepository('a');
  const tip = r.id('a');
  r.write('.git/logs/refs/heads/a', '');
  const { outcomes } = await applySweep(r);
  r.git('branch', '--no-track', 'a', tip);
  expect(errorOf(await undo(r, outcomes.get('a')?.undo?.split(' ')[2] ?? ''))).toMatchObject({ code: 'name-taken' });
});
