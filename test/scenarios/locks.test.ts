/** Worktrees that are locked: each stays, whoever locked it; and what its reason tells of who that was. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SweepDocument } from '../../src/contract/sweep.ts';
import { readStat, readStartTime } from '../../src/system/processes/stat.ts';
import { look, runCli } from '../support/cli.ts';
import { canOccupy, occupy } from '../support/occupants.ts';
import { run } from '../support/processes.ts';
import type { Repository } from '../support/repository.ts';
import { codesIn, expectCodes, gitAt, newMerged, rowOf, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

/** What is told of the lock. */
interface Told {
  readonly owner?: string | null;
  readonly pid?: number | null;
  readonly alive?: boolean | null;
}

function lock(r: Repository, desk: string, reason: string | Uint8Array): void {
  writeFileSync(r.path(`.git/worktrees/${basename(desk)}/locked`), reason);
}

function expectLock(sweep: SweepDocument, admin: string, { owner = null, pid = null, alive = null }: Told): void {
  const codes = codesIn(sweep, admin);
  const dead = alive === false;
  expectCodes(codes, { holds: ['locked'], noted: dead ? ['stale-lock'] : [], notNoted: dead ? [] : ['stale-lock'] });
  expect(rowOf(sweep, admin).state.lock).toMatchObject({ owner, alive });
  if (pid !== null) expect(rowOf(sweep, admin).reason.text).toContain(`process ${pid} `);
}

/** A worktree for each reason, all of one repository. */
function lockedWith(reasons: readonly (string | Uint8Array)[]): Repository {
  const r = temporaryMerged();
  for (const [at, reason] of reasons.entries()) lock(r, r.worktree(`desk-${at}`, 'topic', '-b', `desk/${at}`), reason);
  return r;
}

it('a lock of a person stays one, and is no process', async () => {
  const cases: readonly [reason: string, told: Told][] = [
    ['', {}],
    ['usb disk', {}],
    ['do not touch: 42 reasons', {}],
    ['pid controller tests', {}],
    ['owner=ash', { owner: 'ash' }],
    ['held by agent: hazel, until noon', { owner: 'hazel' }],
    ['{"owner":"ash"}', { owner: 'ash' }],
    ['{"owner":{"name":"ash"},"pid":[1]}', {}],
    ['{"owner":"ash","pid":"-1"}', { owner: 'ash' }],
    ['{"pid":1.5}', {}],
    ['{"pid":0}', {}],
    ['{"__proto__":{"owner":"ash","pid":1}}', {}],
    ['{"constructor":1,"toString":"x"}', {}],
    ['{"owner":"ash"', {}],
    ['{', {}],
    ['[1]', {}],
    ['null', {}],
  ];
  const sweep = await look(lockedWith(cases.map(([reason]) => (reason === '' ? '' : `${reason}\n`))));
  for (const [at, [reason, told]] of cases.entries()) {
    expectLock(sweep, `desk-${at}`, told);
    expect(rowOf(sweep, `desk-${at}`).state.lock?.reason).toBe(reason || null);
  }
});

it('git lock and unlock it', async () => {
  const { r, desk } = temporaryDesk();
  gitAt(r, r.work, 'worktree', 'lock', '--reason', 'usb disk', desk);
  const sweep = await look(r);
  expectLock(sweep, 'desk', {});
  expect(rowOf(sweep, 'desk').reason.text).toBe('it is locked: usb disk');
  gitAt(r, r.work, 'worktree', 'unlock', desk);
  expectCodes(codesIn(await look(r), 'desk'), {});
});

it('a hostile reason is a reason like any other', async () => {
  const reasons: readonly (string | Uint8Array)[] = [
    '\x1b[2J\x07\r\n\x00\u202e(pid 1 start \x1b]0;x\x07)',
    Buffer.from([0xff, 0xfe, 0x80, 0x0a, 0xc3]),
    `agent${' '.repeat(1 << 20)}`,
    '(pid 1 start '.repeat(80_000),
    'owner '.repeat(170_000),
    '{"a":'.repeat(100_000),
    `{"owner":"ash","pid":1,"more":"${'x'.repeat(1 << 20)}"}`,
  ];
  const r = lockedWith(reasons);
  const began = Date.now();
  const sweep = await look(r);
  expect(Date.now() - began).toBeLessThan(20_000);
  for (const at of reasons.keys()) {
    expectCodes(codesIn(sweep, `desk-${at}`), { holds: ['locked'], notNoted: ['stale-lock'] });
  }
  const { stdout } = await runCli(['sweep', '--no-fetch', '--idle', '0s'], { cwd: r.work, env: r.env });
  expect(stdout).toContain('it is locked');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
});

function withoutZone(date: Date): string {
  return date.toUTCString().replace(/^(...), (..) (...) (....) (.{8}) GMT$/, '$1 $3 $2 $5 $4');
}

describe.skipIf(!canOccupy)('a lock of a process', () => {
  let r: Repository;
  let sweep: SweepDocument;
  const wanted = new Map<string, Told>();

  beforeAll(async () => {
    r = newMerged();
    const { pid } = await occupy([]);
    const stat = readStat(pid);
    if (stat.kind !== 'known') throw new Error('the process is not there');
    const ticks = stat.value.start;
    const began = readStartTime(stat.value) ?? 0;
    const gone = run('/bin/sh', ['-c', 'echo $$'], { cwd: '/', env: {} }).stdout.toString().trim();
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const host = hostname();
    const at = (ms: number) => new Date(began + ms);
    const json = (more: object) => JSON.stringify({ owner: 'ash', pid, ...more });
    const living = { owner: 'ash', pid, alive: true };
    const dead = { ...living, alive: false };
    const unsure = { ...living, alive: null };
    const claude = (start: string | number) => `claude agent a1b2 (pid ${pid} start ${start})`;
    const claudes = { owner: 'claude agent a1b2', pid };
    const cases: readonly [reason: string, told: Told][] = [
      [json({}), living],
      [json({ start: ticks, boot, host }), living],
      [json({ startTime: String(ticks), boot_id: boot, hostname: host }), living],
      [json({ start: ticks + 1, boot, host }), dead],
      [json({ start: began - 3_600_000 }), dead],
      [json({ start: at(-3_600_000).toISOString() }), dead],
      [json({ start: at(5000).toISOString() }), living],
      [json({ start: ticks, boot: '00000000-0000-0000-0000-000000000000' }), dead],
      [json({ start: ticks, host: `${host}-2` }), unsure],
      [json({ start: ticks + 1, host: `${host}-2` }), unsure],
      [json({ start: 'yesterday' }), unsure],
      [json({ pid: Number(gone) }), { ...dead, pid: Number(gone) }],
      [json({ pid: Number(gone), host: `${host}-2` }), { ...unsure, pid: Number(gone) }],
      [json({ pid: 4_194_305 }), { ...dead, pid: 4_194_305 }],
      [json({ pid: 9_999_999_999 }), { ...unsure, pid: 9_999_999_999 }],
      [`owner=ash pid=${pid}`, living],
      [`owner: ash, pid: ${gone}`, { ...dead, pid: Number(gone) }],
      [`session=s1 pid=${pid} start=${ticks + 7}`, { owner: 's1', pid, alive: false }],
      [`in use by pid ${pid}`, { pid, alive: true }],
      [claude(ticks), { ...claudes, alive: true }],
      [claude(ticks + 1), { ...claudes, alive: false }],
      [claude(Math.floor(began / 1000)), { ...claudes, alive: true }],
      [claude(began), { ...claudes, alive: true }],
      [claude(Math.floor(began / 1000) - 3600), { ...claudes, alive: false }],
      [claude(at(0).toUTCString()), { ...claudes, alive: true }],
      [claude(at(-7_200_000).toUTCString()), { ...claudes, alive: false }],
      // As ps prints it, in the time of a place that is not told.
      [claude(withoutZone(at(0))), { ...claudes, alive: true }],
      [claude(withoutZone(at(-7_200_000))), claudes],
      [`claude agent a1b2 (pid ${pid})`, { ...claudes, alive: true }],
      [`claude agent a1b2 (pid ${gone} start ${ticks})`, { ...claudes, pid: Number(gone), alive: false }],
    ];
    for (const [index, [reason, told]] of cases.entries()) {
      const desk = r.worktree(`desk-${index}`, 'topic', '-b', `desk/${index}`);
      gitAt(r, r.work, 'worktree', 'lock', '--reason', reason, desk);
      wanted.set(`desk-${index}`, told);
    }
    // The process began after this lock was taken, so that another one of its number took it.
    const old = r.worktree('old', 'topic', '-b', 'old');
    lock(r, old, `owner=ash pid=${pid}`);
    const long = new Date(began - 3_600_000);
    utimesSync(r.path('.git/worktrees/old/locked'), long, long);
    wanted.set('old', dead);
    sweep = await look(r);
  });
  afterAll(() => r?.remove());

  it('holds all of them, and names those as stale whose process is gone', () => {
    expect(wanted.size).toBe(31);
    for (const [admin, told] of wanted) expectLock(sweep, admin, told);
  });
});
