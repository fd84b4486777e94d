/** Leases and runs keep the worktrees that they name, and all that they may name when they cannot be read. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchesOf, look, runCli } from '../support/cli.ts';
import { say } from '../support/inside.ts';
import type { Repository } from '../support/repository.ts';
import { codesIn, expectCodes, gitAt, rowOf, temporaryDesk } from '../support/worktree.ts';

async function coppice(r: Repository, cwd: string, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await say(r, args, { cwd });
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
}

const state = (r: Repository, ...names: string[]) => join(r.path('.git/coppice'), ...names);
const onlyFileIn = (folder: string) => join(folder, readdirSync(folder)[0] as string);

/** A worktree that is leased, and another one beside it. */
async function leasedDesk() {
  const { r, desk } = temporaryDesk();
  const other = r.worktree('other', 'topic', '-b', 'other');
  await coppice(r, desk, 'lease', 'acquire', '--task', 'T-1', '--owner', 'ash');
  return { r, desk, other, file: onlyFileIn(state(r, 'leases')) };
}

/** Rewrites a state file as if it had been written at another time. */
function edit(file: string, change: (fields: Record<string, unknown>) => void): void {
  const fields = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  change(fields);
  writeFileSync(file, JSON.stringify(fields));
}

const at = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;

describe('a lease', () => {
  it('holds its worktree, and no other one, and says whose it is', async () => {
    const { r, desk } = await leasedDesk();
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), { holds: ['leased'] });
    expectCodes(codesIn(sweep, 'other'), {});
    expect(rowOf(sweep, 'desk').reason.text).toMatch(/^it is leased to ash for T-1, for another 1\d\d min$/);
    expect(rowOf(sweep, 'desk').state.lease).toMatchObject({ owner: 'ash', task: 'T-1', released: null });
    expect((await runCli(['list'], { cwd: r.work, env: r.env })).stdout).toMatch(/^topic +clean +ash +/m);
    expect(desk).not.toBe('');
  });

  it('that was given back, or is over, holds nothing', async () => {
    const { r, desk, file } = await leasedDesk();
    edit(file, (lease) => Object.assign(lease, { acquired: at(-4), heartbeat: at(-4), expires: at(-1) }));
    expectCodes(codesIn(await look(r), 'desk'), {});
    const { r: again, desk: place } = await leasedDesk();
    await coppice(again, place, 'lease', 'release', '--token-file', onlyFileIn(state(again, 'tokens')));
    expectCodes(codesIn(await look(again), 'desk'), {});
    expect(desk).not.toBe(place);
  });

  it('holds the branch that it names, also when the worktree is gone', async () => {
    const { r, desk, file } = await leasedDesk();
    rmSync(desk, { recursive: true });
    r.git('worktree', 'prune');
    const codes = async () =>
      branchesOf(await look(r))
        .get('topic')
        ?.evidence.map(({ code }) => code) ?? [];
    expect(await codes()).toContain('leased');
    writeFileSync(file, 'nothing');
    expect(await codes()).toContain('lease-unreadable');
    rmSync(file);
    expect(await codes()).not.toContain('leased');
  });

  it('is kept by a worktree that is moved, and not by another one at its place', async () => {
    const { r, desk } = await leasedDesk();
    r.git('worktree', 'move', desk, `${desk}-moved`);
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['leased'] });
    r.git('worktree', 'remove', `${desk}-moved`);
    r.git('worktree', 'add', '-q', `${desk}-moved`, 'topic');
    expectCodes(codesIn(await look(r), 'desk-moved'), {});
  });

  it('whose clock was ahead holds until its end', async () => {
    const { r, file } = await leasedDesk();
    edit(file, (lease) => Object.assign(lease, { acquired: at(24), heartbeat: at(24), expires: at(26) }));
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['leased'] });
  });

  it('marks the worktree with a lock that holds no longer than it does', async () => {
    const { r, file } = await leasedDesk();
    const lock = (reason: string) => writeFileSync(r.path('.git/worktrees/desk/locked'), `${reason}\n`);
    const mark = 'coppice lease T-1 until 2026-01-02T03:04:05Z';
    lock(mark);
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['leased', 'locked'] });
    edit(file, (lease) => Object.assign(lease, { acquired: at(-4), heartbeat: at(-4), expires: at(-1) }));
    expectCodes(codesIn(await look(r), 'desk'), {});
    for (const other of [
      'coppice lease broken, keep this one until Monday -- ash',
      'coppice lease T-1 until later',
      `${mark}, and then some`,
      `${mark}\nand then some`,
      ` ${mark}`,
      mark.replace('T-1', 'T-2'),
      mark.replace('Z', ''),
    ]) {
      lock(other);
      expectCodes(codesIn(await look(r), 'desk'), { holds: ['locked'] });
    }
    lock(mark);
    writeFileSync(file, 'nothing');
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['lease-unreadable', 'locked'] });
    // Without a record nobody knows of a lease that is over.
    rmSync(file);
    for (const other of [mark, 'by hand, coppice lease or not']) {
      lock(other);
      expectCodes(codesIn(await look(r), 'desk'), { holds: ['locked'] });
    }
  });
});

/** Ways in which the file of a lease, or of a run, can be damaged. */
const DAMAGE: Readonly<Record<string, (file: string) => void>> = {
  empty: (file) => writeFileSync(file, ''),
  'cut off': (file) => writeFileSync(file, readFileSync(file).subarray(0, 40)),
  garbage: (file) => writeFileSync(file, Buffer.from([0, 255, 128, 10, 13])),
  'of a later version': (file) => edit(file, (fields) => Object.assign(fields, { schema: 'coppice.lease.v2' })),
  'with one more field': (file) => edit(file, (fields) => Object.assign(fields, { more: 1 })),
  'without a field': (file) => edit(file, (fields) => delete fields['schema']),
  huge: (file) => appendFileSync(file, ' '.repeat(70_000)),
  'a link': (file) => {
    rmSync(file);
    symlinkSync('/dev/null', file);
  },
  'a folder': (file) => {
    rmSync(file);
    mkdirSync(file);
  },
  'open to others': (file) => chmodSync(file, 0o666),
};

describe('what cannot be read', () => {
  it.each(Object.entries(DAMAGE))('holds the worktree of a lease that is %s', async (_what, damage) => {
    const { r, file } = await leasedDesk();
    damage(file);
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), { holds: ['lease-unreadable'] });
    expectCodes(codesIn(sweep, 'other'), {});
  });

  it.each(['naive', 'no time', 'endless'])('holds for a lease with a %s end', async (kind) => {
    const { r, file } = await leasedDesk();
    const expires = { naive: at(-1).slice(0, 19), 'no time': 'NaN', endless: at(24 * 40) }[kind];
    edit(file, (lease) => Object.assign(lease, { expires }));
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['lease-unreadable'] });
  });

  it('holds every worktree when nobody can tell which one is meant', async () => {
    const { r } = await leasedDesk();
    writeFileSync(state(r, 'leases', 'nobody.json'), '{}');
    const sweep = await look(r);
    for (const admin of ['desk', 'other']) expect(codesIn(sweep, admin).holds).toEqual(['lease-unreadable']);
    rmSync(state(r, 'leases', 'nobody.json'));
    chmodSync(state(r, 'leases'), 0o777);
    const open = await look(r);
    for (const admin of ['desk', 'other']) expect(codesIn(open, admin).holds).toEqual(['lease-unreadable']);
    chmodSync(state(r, 'leases'), 0o700);
    writeFileSync(join(gitAt(r, join(r.places.root, 'other'), 'rev-parse', '--absolute-git-dir'), 'coppice-key'), 'x');
    expectCodes(codesIn(await look(r), 'other'), { holds: ['lease-unreadable'] });
  });

  it('holds every worktree for the state of another account, or one that others may write', async () => {
    const { r } = await leasedDesk();
    chmodSync(state(r), 0o777);
    const sweep = await look(r);
    for (const admin of ['desk', 'other'])
      expectCodes(codesIn(sweep, admin), { holds: ['lease-unreadable', 'runs-unread'] });
  });

  it.each(Object.entries(DAMAGE))('holds every worktree for a run that is %s', async (_what, damage) => {
    const { r, desk } = temporaryDesk();
    r.worktree('other', 'topic', '-b', 'other');
    await coppice(r, r.work, 'run', 'start', '--title', 'release', '--lane', `T-1=${desk}`);
    damage(onlyFileIn(state(r, 'runs')));
    const sweep = await look(r);
    for (const admin of ['desk', 'other']) expectCodes(codesIn(sweep, admin), { holds: ['runs-unread'] });
  });
});

describe('a run', () => {
  it('holds its lanes until it is finished, or not heard of for its time', async () => {
    const { r, desk } = temporaryDesk();
    r.worktree('other', 'topic', '-b', 'other');
    await coppice(r, r.work, 'run', 'start', '--title', 'release', '--lane', `T-1=${desk}`);
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), { holds: ['run-active'] });
    expectCodes(codesIn(sweep, 'other'), {});
    const file = onlyFileIn(state(r, 'runs'));
    edit(file, (run) => Object.assign(run, { started: at(-50), updated: at(-25) }));
    expectCodes(codesIn(await look(r), 'desk'), {});
    edit(file, (run) => Object.assign(run, { updated: at(-1) }));
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['run-active'] });
    await coppice(r, r.work, 'run', 'finish', String(JSON.parse(readFileSync(file, 'utf8')).id));
    expectCodes(codesIn(await look(r), 'desk'), {});
  });

  it('holds its branch, and a worktree that is made again where it has a lane', async () => {
    const { r, desk } = temporaryDesk();
    await coppice(r, desk, 'lease', 'acquire');
    await coppice(r, r.work, 'run', 'start', '--title', 'release', '--lane', `T-1=${desk}`);
    r.git('worktree', 'remove', desk);
    rmSync(state(r, 'leases'), { recursive: true });
    expect(
      branchesOf(await look(r))
        .get('topic')
        ?.evidence.map(({ code }) => code),
    ).toContain('run-active');
    r.git('worktree', 'add', '-q', desk, 'topic');
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['run-active'] });
  });

  it('holds a worktree that is made later where it has a lane', async () => {
    const { r } = temporaryDesk();
    const later = join(r.places.root, 'later');
    await coppice(r, r.work, 'run', 'start', '--title', 'release', '--lane', `T-2=${later}`);
    r.worktree('later', 'topic', '-b', 'later');
    expectCodes(codesIn(await look(r), 'later'), { holds: ['run-active'] });
  });
});
