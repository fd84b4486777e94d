/** Who is in a worktree, by lsof: the real one, and others that go wrong in every way. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStat } from '../../src/system/processes/stat.ts';
import { errorOf, LOOK, look, runCli } from '../support/cli.ts';
import { canOccupy, occupy } from '../support/occupants.ts';
import { giveAway, isRoot, unprivileged } from '../support/other-account.ts';
import type { Repository } from '../support/repository.ts';
import { codesIn, expectCodes, rowOf, temporaryDesk } from '../support/worktree.ts';

const LSOF = ['/usr/bin/lsof', '/usr/sbin/lsof'].find((path) => existsSync(path)) ?? null;
const UNAVAILABLE = ['process-check-unavailable'];

function useLsof(r: Repository, program: string): void {
  const folder = join(r.env['HOME'] as string, '.config', 'coppice');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.toml'), `[probe]\nuse = "lsof"\nlsof = ${JSON.stringify(program)}\n`);
}

/** A program that says of every process where it is, as lsof does, and then goes wrong. */
function lsofOf(r: Repository, body: string): void {
  const program = join(r.places.root, 'lsof');
  // Its parent is coppice.
  writeFileSync(program, `#!/bin/sh\nown() { printf 'p%s\\nfcwd\\nn/\\n' "$PPID"; }\n${body}\n`, { mode: 0o755 });
  useLsof(r, program);
}

describe('an lsof that goes wrong says nothing of any worktree', () => {
  it('it fails', async () => {
    const { r } = temporaryDesk();
    r.worktree('second', 'topic', '-b', 'second');
    lsofOf(r, 'own; exit 1');
    const sweep = await look(r);
    for (const name of ['desk', 'second']) expectCodes(codesIn(sweep, name), { holds: UNAVAILABLE });
    const doubts = sweep.doubts.filter(({ code }) => code === UNAVAILABLE[0]);
    expect(doubts).toEqual([expect.objectContaining({ text: expect.stringContaining('ended with status 1') })]);
  });

  it('it is not there, is no program, or is a folder', async () => {
    const { r, desk } = temporaryDesk();
    r.worktree('second', 'topic', '-b', 'second');
    const file = join(r.places.root, 'text');
    writeFileSync(file, 'text');
    chmodSync(file, 0o644);
    for (const program of [join(r.places.root, 'nothing'), file, desk]) {
      useLsof(r, program);
      const sweep = await look(r);
      for (const name of ['desk', 'second']) expectCodes(codesIn(sweep, name), { holds: UNAVAILABLE });
      expect(rowOf(sweep, 'desk').reason.text).toMatch(/cannot be started \(E(NOENT|ACCES)\)/);
      expect(codesIn(sweep, '@').holds).not.toContain(UNAVAILABLE[0]);
    }
  });

  it('it takes longer than five seconds, and what it started goes with it', async () => {
    const { r } = temporaryDesk();
    const mark = join(r.places.root, 'mark');
    lsofOf(r, `own; sleep 300 & echo $! > '${mark}'; wait`);
    const began = Date.now();
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), { holds: UNAVAILABLE });
    expect(rowOf(sweep, 'desk').reason.text).toContain('did not answer within 5 s');
    expect(Date.now() - began).toBeGreaterThan(4900);
    const helper = Number(readFileSync(mark, 'utf8'));
    // Nobody may have waited for it yet.
    expect(readStat(helper)).not.toMatchObject({ value: { state: expect.stringMatching(/[^ZX]/) } });
  });

  it('a path that is not absolute is a mistake in the settings', async () => {
    const { r } = temporaryDesk();
    useLsof(r, 'lsof');
    const error = errorOf(await runCli(LOOK, { cwd: r.work, env: r.env }));
    expect(JSON.stringify(error)).toContain('probe.lsof');
  });
});

describe.skipIf(LSOF === null || !canOccupy)('the real lsof', () => {
  it('finds who works in it, and only there', async () => {
    const { r, desk } = temporaryDesk();
    const second = r.worktree('second', 'topic', '-b', 'second');
    const third = r.worktree('third', 'topic', '-b', 'third');
    mkdirSync(join(second, 'scratch', 'Bäume\n'), { recursive: true });
    useLsof(r, LSOF as string);
    const { pid } = await occupy([['cd', join(desk, 'wood')]]);
    await occupy([['cd', join(second, 'scratch', 'Bäume\n')]]);
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), { holds: ['process-inside'] });
    expect(rowOf(sweep, 'desk').reason.text).toBe(`process ${pid} works in it`);
    expectCodes(codesIn(sweep, 'second'), { holds: ['process-possibly-inside'] });
    expectCodes(codesIn(sweep, 'third'), {});
    expect(third).not.toBe(second);
  });

  it.skipIf(!isRoot)('counts what it may not look at', async () => {
    const { r } = temporaryDesk();
    giveAway(r.places.root);
    useLsof(r, LSOF as string);
    expectCodes(codesIn(await look(r, unprivileged), 'desk'), { noted: ['processes-unreadable'] });
  });
});
