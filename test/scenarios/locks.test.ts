/** Worktrees that are locked: each stays, whoever locked it; and what its reason tells of who that was. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SweepDocument } from '../../src/contract/sweep.ts';
import { readStat, readStartTime } from '../../src/system/processes/stat.ts';
import { look, runCli } from '../support/cli.ts';
import { canOccupy, occupy } from '../support/occupants.ts';
import { isRoot } from '../support/other-account.ts';
import { run } from '../support/processes.ts';
import { canProveDeath } from '../support/namespaces.ts';
import type { Repository } from '../support/repository.ts';
import { codesIn, expectCodes, gitAt, newMerged, rowOf, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

/** No process has so large an id: the kernel's limit is 2^22. */
const GONE = 4_194_305;

/** How unshare starts a program with numbers of processes of its own. */
const APART = ['--pid', '--fork', '--mount-proc'];

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
    ['owner=ash', {}],
    ['held by agent: hazel, until noon', {}],
    // Texts that speak of a process were not written by it.
    [`keep for the post mortem: core dump of nginx, pid ${GONE}`, {}],
    [`do not remove, core dump of nginx (pid ${GONE})`, {}],
    [`in use by pid ${GONE}`, {}],
    [`owner: ash, pid: ${GONE}`, {}],
    [`pid=${GONE}`, {}],
    [`owner=ash pid=${GONE} keep`, {}],
    [`owner=ash pid=${GONE} why=keep`, {}],
    [`owner=ash pid=${GONE} pid=${GONE}`, {}],
    [`agent ash pid=${GONE}`, {}],
    [`keep owner=ash pid=${GONE}`, {}],
    [`claude (pid ${GONE} start 5), keep it`, {}],
    [`keep\nclaude (pid ${GONE} start 5)`, {}],
    [`{"pid":${GONE}} keep`, {}],
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

describe.skipIf(!canOccupy || !canProveDeath)('a lock of a process', () => {
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
    const gone = Number(run('/bin/sh', ['-c', 'echo $$'], { cwd: '/', env: {} }).stdout.toString().trim());
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const otherBoot = '00000000-0000-0000-0000-000000000000';
    const host = hostname();
    const at = (ms: number) => new Date(began + ms);
    const json = (more: object) => JSON.stringify({ owner: 'ash', pid, ...more });
    const living = { owner: 'ash', pid, alive: true };
    const unsure = { ...living, alive: null };
    const dead = { owner: 'ash', pid: gone, alive: false };
    const unsureDead = { ...dead, alive: null };
    const claude = (start: string | number, of = pid) => `claude agent a1b2 (pid ${of} start ${start})`;
    const claudes = { owner: 'claude agent a1b2', pid };
    const cases: readonly [reason: string, told: Told][] = [
      [json({}), living],
      [json({ start: ticks, boot, host }), living],
      [json({ startTime: String(ticks), boot_id: boot, hostname: host }), living],
      // Of what unit it is, and by which clock, this form does not say.
      [json({ start: ticks + 1, boot, host }), unsure],
      [json({ start: began - 3_600_000 }), unsure],
      [json({ started: at(-3_600_000).toISOString() }), unsure],
      [json({ started: at(7_200_000).toISOString() }), unsure],
      [json({ start: at(5000).toISOString() }), living],
      [json({ start: 'yesterday' }), unsure],
      [json({ start: [ticks] }), unsure],
      // Another boot is one of this machine only where the machine is named.
      [json({ start: ticks, boot: otherBoot }), unsure],
      [json({ start: ticks, boot: otherBoot, host }), { ...living, alive: false }],
      [json({ start: ticks, boot: otherBoot, host: `${host}-2` }), unsure],
      [json({ start: ticks, host: `${host}-2` }), unsure],
      [json({ pid: gone }), dead],
      [json({ pid: gone, boot, host }), dead],
      [json({ pid: gone, host: null, boot: null }), dead],
      ...['host', 'hostname', 'machine', 'node', 'hostName', 'container_id', 'pid_ns'].map((key): [string, Told] => [
        json({ pid: gone, [key]: `${host}-2` }),
        unsureDead,
      ]),
      [json({ pid: gone, host: null, hostname: `${host}-2` }), unsureDead],
      [json({ pid: gone, host, hostname: `${host}-2` }), unsureDead],
      [json({ pid: gone, host: { name: `${host}-2` } }), unsureDead],
      [json({ pid: gone, processId: pid }), { owner: 'ash', alive: null }],
      [json({ pid: GONE }), { ...dead, pid: GONE }],
      [json({ pid: 9_999_999_999 }), { ...unsure, pid: 9_999_999_999 }],
      [`owner=ash pid=${pid}`, living],
      [`owner=ash pid=${gone}`, dead],
      [`owner=ash pid=${gone} start=5 host=${host}`, dead],
      [`owner=ash pid=${gone} host=${host}-2`, unsureDead],
      [`node=${host}-2 pid=${gone} owner=ash`, unsureDead],
      [`session=s1 pid=${pid} start=${ticks + 7}`, { owner: 's1', pid, alive: null }],
      [claude(ticks), { ...claudes, alive: true }],
      [claude(ticks + 1), { ...claudes, alive: false }],
      [claude(Math.floor(began / 1000)), { ...claudes, alive: true }],
      [claude(began), { ...claudes, alive: true }],
      // These may be other forms of the same start.
      [claude(Math.floor(ticks / 100)), claudes],
      [claude(ticks * 10), claudes],
      [claude(Math.floor(began / 1000) - 3600), claudes],
      [claude(at(0).toUTCString()), { ...claudes, alive: true }],
      [claude(at(-7_200_000).toUTCString()), claudes],
      // As ps prints it, in the time of a place that is not told.
      [claude(withoutZone(at(0))), { ...claudes, alive: true }],
      [claude(withoutZone(at(-7_200_000))), claudes],
      [claude(ticks, gone), { ...claudes, pid: gone, alive: false }],
      [`agent on buildbox-7 (pid ${gone} start 5)`, { owner: 'agent on buildbox-7', pid: gone, alive: null }],
      [`ash@buildbox-7 (pid ${gone} start 5)`, { owner: 'ash@buildbox-7', pid: gone, alive: null }],
      [`agent, host: buildbox-7 (pid ${gone} start 5)`, { owner: 'agent, host: buildbox-7', pid: gone, alive: null }],
    ];
    for (const [index, [reason, told]] of cases.entries()) {
      const desk = r.worktree(`desk-${index}`, 'topic', '-b', `desk/${index}`);
      gitAt(r, r.work, 'worktree', 'lock', '--reason', reason, desk);
      wanted.set(`desk-${index}`, told);
    }
    // The process began after this lock was taken, or the clock was set since.
    const old = r.worktree('old', 'topic', '-b', 'old');
    lock(r, old, `owner=ash pid=${pid}`);
    const long = new Date(began - 7_200_000);
    utimesSync(r.path('.git/worktrees/old/locked'), long, long);
    wanted.set('old', unsure);
    sweep = await look(r);
  });
  afterAll(() => r?.remove());

  it('holds all of them, and names those as stale whose process is proven to be gone', () => {
    expect(wanted.size).toBe(52);
    for (const [admin, told] of wanted) expectLock(sweep, admin, told);
  });
});

describe.skipIf(!canProveDeath || !isRoot)('a process in a namespace of its own', () => {
  it('is not taken for gone by those outside of it', async () => {
    const { r, desk } = temporaryDesk();
    const number = 31_000;
    if (existsSync(`/proc/${number}`)) return;
    const script = `echo ${number - 1} > /proc/sys/kernel/ns_last_pid; sleep 60 & echo $!; wait`;
    const child = spawn('unshare', [...APART, '--kill-child', 'sh', '-c', script], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(String((await once(child.stdout, 'data'))[0])).toBe(`${number}\n`);
    lock(r, desk, `claude session (pid ${number} start 5)`);
    expectLock(await look(r), 'desk', { owner: 'claude session', pid: number, alive: null });
  });

  it('says of no process outside that it is gone', async () => {
    const { r, desk } = temporaryDesk();
    lock(r, desk, `claude session (pid ${GONE} start 5)`);
    expectLock(await look(r), 'desk', { owner: 'claude session', pid: GONE, alive: false });
    const inside = await look(r, { through: ['unshare', ...APART] });
    expect(rowOf(inside, 'desk').state.lock?.alive).toBe(null);
  });
});
