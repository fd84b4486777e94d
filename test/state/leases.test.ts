/** Leases as time goes by: the state itself, with a clock of the test's own and real git. */
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserError } from '../../src/judge/facts/user-error.ts';
import { readKey } from '../../src/state/key.ts';
import { type Acquired, acquireLease, type AcquireRequest } from '../../src/state/leases/acquire.ts';
import { keepLease, type KeepRequest, releaseLease, showLease } from '../../src/state/leases/keep.ts';
import { readLeases } from '../../src/state/leases/read.ts';
import { keepAlive } from '../../src/state/leases/run-under.ts';
import { readJournal } from '../../src/state/read-journal.ts';
import { withWorktree } from '../support/leased.ts';
import { giveToStranger, isRoot } from '../support/other-account.ts';
import type { Repository } from '../support/repository.ts';
import { ACCOUNT, DAY, HOUR, leaseFile, MINUTE, stateOf, type TestWorld, wish, worldOf } from '../support/state.ts';

interface Stage {
  readonly r: Repository;
  readonly world: TestWorld;
  readonly tree: string;
  acquire(change?: Partial<AcquireRequest>): Promise<Acquired>;
  keep(token: string | null, extend?: number, change?: Partial<KeepRequest>): ReturnType<typeof keepLease>;
  release(token: string | null, change?: Partial<KeepRequest>): ReturnType<typeof releaseLease>;
  show(worktree?: string): Promise<string>;
}

function stage(): Stage {
  const { r, tree } = withWorktree();
  const world = worldOf(r);
  const from = (token: string | null) => {
    return { ...world, env: { ...world.env, ...(token !== null && { COPPICE_LEASE_TOKEN: token }) }, now: world.now };
  };
  const asking = { directory: r.work, worktree: tree, tokenFile: null };
  return {
    r,
    world,
    tree,
    acquire: (change = {}) => acquireLease(world, wish(tree, change), { holder: world.self, keepsToken: true }),
    keep: (token, extend, change = {}) => keepLease(from(token), { ...asking, ...change, extend: extend ?? null }),
    release: (token, change = {}) => releaseLease(from(token), { ...asking, ...change }),
    show: async (worktree = tree) => (await showLease(world, { directory: r.work, worktree })).standing,
  };
}

const refusal = (code: string, exit = 2): Partial<UserError> => ({ name: 'UserError', code, exit });
const entries = ({ r }: Stage) => {
  const journal = readJournal({ commonDir: join(r.work, '.git'), account: ACCOUNT });
  return journal.kind === 'known' ? journal.value.entries : [];
};

describe('a lease', () => {
  it('records who has what until when', async () => {
    const { world, tree, acquire, r } = stage();
    const about = { task: 'T-1', pullRequest: 7, gate: 'review', owner: 'ash', purpose: 'caf\xc3\xa9' };
    const { lease, how } = await acquire({ about });
    expect(how).toBe('acquired');
    expect(lease).toEqual({
      worktree: tree,
      branch: 'refs/heads/app-x',
      head: r.id('HEAD'),
      ...about,
      tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      epoch: 1,
      acquired: world.time,
      heartbeat: world.time,
      expires: world.time + 2 * HOUR,
      released: null,
      ...world.self,
    });
  });

  it('is live up to its end, and over at it', async () => {
    const { world, acquire, show } = stage();
    expect(await show()).toBe('none');
    const { lease } = await acquire({ term: { ttl: HOUR } });
    expect(await show()).toBe('live');
    world.time = lease.expires - 1;
    expect(await show()).toBe('live');
    world.time = lease.expires;
    expect(await show()).toBe('expired');
  });

  it.each([
    ['one minute', { ttl: MINUTE }, true],
    ['thirty days', { ttl: 30 * DAY }, true],
    ['less than a minute', { ttl: MINUTE - 1 }, false],
    ['more than thirty days', { ttl: 30 * DAY + 1 }, false],
    ['no time', { ttl: 0 }, false],
    ['less than none', { ttl: -HOUR }, false],
    ['no number', { ttl: Number.NaN }, false],
    ['for ever', { ttl: Number.POSITIVE_INFINITY }, false],
    ['up to a time that is over', { until: Date.UTC(2026, 10, 30, 11) }, false],
    ['up to a time', { until: Date.UTC(2026, 10, 30, 13) }, true],
    ['up to one that is too far', { until: Date.UTC(2027, 0, 30) }, false],
  ] as const)('lasts %s', async (_, term, granted) => {
    const { r, acquire, tree } = stage();
    if (granted) expect(await acquire({ term })).toMatchObject({ how: 'acquired' });
    else {
      await expect(acquire({ term })).rejects.toMatchObject(refusal('bad-value', 64));
      expect([existsSync(stateOf(r)), readKey(`${r.work}/.git/worktrees/app-x`, ACCOUNT).kind]).toEqual([
        false,
        'absent',
      ]);
    }
    expect(existsSync(tree)).toBe(true);
  });

  it('texts that are too long are wrong usage', async () => {
    const { acquire } = stage();
    const about = { task: 'x'.repeat(1025), pullRequest: null, gate: null, owner: null, purpose: null };
    await expect(acquire({ about })).rejects.toMatchObject(refusal('bad-value', 64));
    expect(await acquire({ about: { ...about, task: 'x'.repeat(1024) } })).toMatchObject({ how: 'acquired' });
  });
});

describe('another one who wants it', () => {
  it('is told who has it, and to come back', async () => {
    const { acquire, tree } = stage();
    await acquire({ about: { task: 'T-1', pullRequest: null, gate: null, owner: 'ash', purpose: null } });
    await expect(acquire()).rejects.toMatchObject({
      ...refusal('lease-held', 3),
      message: `${tree} is leased by ash for T-1 until 2026-11-30T14:00:00Z`,
    });
  });

  it('gets it when it was given back, as the next of its kind', async () => {
    const { acquire, release } = stage();
    const first = await acquire();
    await release(first.token);
    const second = await acquire();
    expect(second).toMatchObject({ how: 'acquired', lease: { epoch: 2, released: null } });
    expect(second.token).not.toBe(first.token);
    expect(second.key).toBe(first.key);
  });

  it('has to wait five minutes after its end, and then to say why', async () => {
    const it = stage();
    const first = await it.acquire();
    const steal = { steal: 'its session died' };
    await expect(it.acquire(steal)).rejects.toMatchObject(refusal('lease-held', 3));
    it.world.time = first.lease.expires + 5 * MINUTE - 1;
    await expect(it.acquire()).rejects.toMatchObject({
      ...refusal('lease-held', 3),
      hint: expect.stringContaining('2026-11-30T14:05:00Z'),
    });
    await expect(it.acquire(steal)).rejects.toMatchObject(refusal('lease-held', 3));
    it.world.time += 1;
    await expect(it.acquire()).rejects.toMatchObject({
      ...refusal('lease-expired'),
      hint: expect.stringContaining('--steal --because TEXT'),
    });
    const stolen = await it.acquire(steal);
    expect(stolen).toMatchObject({ how: 'stolen', lease: { epoch: 2 } });
    // Who had it has it no more.
    await expect(it.keep(first.token)).rejects.toMatchObject(refusal('wrong-token'));
    await expect(it.release(first.token)).rejects.toMatchObject(refusal('wrong-token'));
    expect(await it.keep(stolen.token)).toMatchObject({ lease: { epoch: 2 } });
    const { key } = first;
    expect(entries(it)).toMatchObject([
      { step: 'refused', why: 'its session died', subject: it.tree, detail: { key, epoch: 1, from: null } },
      { step: 'refused' },
      { step: 'intent', verb: 'lease', why: 'its session died', subject: it.tree, detail: { key, epoch: 1 } },
      { step: 'done' },
    ]);
    const [, , intent, done] = entries(it);
    expect(intent?.id).toBe(done?.id);
  });

  it('steals nothing that cannot be put on record', async () => {
    const it = stage();
    const first = await it.acquire();
    it.world.time = first.lease.expires + HOUR;
    const before = readFileSync(leaseFile(it.r), 'utf8');
    writeFileSync(stateOf(it.r, 'journal'), '');
    await expect(it.acquire({ steal: 'because' })).rejects.toMatchObject(refusal('unsafe-folder'));
    expect(readFileSync(leaseFile(it.r), 'utf8')).toBe(before);
    expect(await it.keep(first.token, HOUR)).toMatchObject({ lease: { epoch: 1 } });
  });

  it('a theft where there is nothing to steal is none', async () => {
    const it = stage();
    expect(await it.acquire({ steal: 'because' })).toMatchObject({ how: 'acquired' });
    expect(entries(it)).toEqual([]);
  });
});

describe('who has the token', () => {
  it('renews without giving back what is left', async () => {
    const it = stage();
    const { token, lease } = await it.acquire({ term: { ttl: 7 * DAY } });
    it.world.env['COPPICE_LEASE_TOKEN'] = token;
    it.world.time += HOUR;
    expect((await it.acquire({ term: { ttl: MINUTE } })).lease.expires).toBe(lease.expires);
    expect((await it.acquire({ term: { ttl: 8 * DAY } })).lease.expires).toBe(it.world.time + 8 * DAY);
  });

  it('renews by acquiring again', async () => {
    const it = stage();
    const first = await it.acquire({ about: { task: 'T-1', pullRequest: 7, gate: null, owner: 'ash', purpose: null } });
    it.world.env['COPPICE_LEASE_TOKEN'] = first.token;
    it.world.time += HOUR;
    const about = { task: null, pullRequest: null, gate: null, owner: 'hazel', purpose: null };
    const renewed = await it.acquire({ about, term: { ttl: 3 * HOUR } });
    expect(renewed).toMatchObject({
      how: 'renewed',
      token: first.token,
      tokenFile: null,
      lease: { ...first.lease, owner: 'hazel', heartbeat: it.world.time, expires: it.world.time + 3 * HOUR },
    });
    // Also when it is over.
    it.world.time += DAY;
    expect(await it.acquire()).toMatchObject({ how: 'renewed', lease: { epoch: 1 } });
  });

  it('keeps it alive without moving its end', async () => {
    const it = stage();
    const { token, lease } = await it.acquire();
    it.world.time += HOUR;
    expect((await it.keep(token)).lease).toEqual({ ...lease, heartbeat: it.world.time });
  });

  it('moves its end, and never to an earlier time', async () => {
    const it = stage();
    const { token, lease } = await it.acquire();
    expect((await it.keep(token, HOUR)).lease.expires).toBe(lease.expires);
    expect((await it.keep(token, 30 * DAY)).lease.expires).toBe(it.world.time + 30 * DAY);
    await expect(it.keep(token, 30 * DAY + 1)).rejects.toMatchObject(refusal('bad-value', 64));
    // Again and again: no end lies more than thirty days away, and so it is read.
    it.world.time += 29 * DAY;
    await it.keep(token, 30 * DAY);
    expect(await it.show()).toBe('live');
  });

  it('revives it after its end, when nobody took it over', async () => {
    const it = stage();
    const { token, lease } = await it.acquire();
    it.world.time = lease.expires;
    await expect(it.keep(token)).rejects.toMatchObject({
      ...refusal('lease-expired'),
      hint: 'coppice lease heartbeat --extend 2h revives it',
    });
    it.world.time += DAY;
    expect((await it.keep(token, HOUR)).lease).toMatchObject({ epoch: 1, expires: it.world.time + HOUR });
  });

  it('gives it back, once', async () => {
    const it = stage();
    const { token, key } = await it.acquire();
    it.world.time += HOUR;
    expect((await it.release(token)).kept?.lease).toMatchObject({ released: it.world.time, epoch: 1 });
    expect(await it.show()).toBe('released');
    expect(existsSync(stateOf(it.r, 'tokens', key))).toBe(false);
    expect((await it.release(token)).kept).toBeNull();
    await expect(it.keep(token)).rejects.toMatchObject(refusal('no-lease'));
  });

  it('nobody else does any of it', async () => {
    const it = stage();
    await expect(it.keep('a'.repeat(64))).rejects.toMatchObject(refusal('no-lease'));
    expect(existsSync(stateOf(it.r))).toBe(false);
    await it.acquire();
    const before = readFileSync(leaseFile(it.r), 'utf8');
    for (const token of ['a'.repeat(64), 'x']) {
      await expect(it.keep(token)).rejects.toMatchObject(refusal('wrong-token'));
      await expect(it.release(token)).rejects.toMatchObject(refusal('wrong-token'));
    }
    for (const token of [null, '']) {
      await expect(it.keep(token)).rejects.toMatchObject(refusal('token-missing'));
      await expect(it.release(token)).rejects.toMatchObject(refusal('token-missing'));
    }
    expect(readFileSync(leaseFile(it.r), 'utf8')).toBe(before);
  });
});

describe('a clock that is set', () => {
  it('back leaves a lease as long as it was, and what is written can be read', async () => {
    const it = stage();
    const { token, lease } = await it.acquire({ term: { ttl: 30 * DAY } });
    it.world.time -= DAY;
    expect(await it.show()).toBe('live');
    expect((await it.keep(token)).lease).toEqual(lease);
    expect((await it.keep(token, HOUR)).lease).toEqual(lease);
    expect((await it.release(token)).kept?.lease.released).toBe(lease.acquired);
    expect(await it.show()).toBe('released');
  });

  it('back by years, for who renews', async () => {
    const it = stage();
    const { token } = await it.acquire();
    it.world.env['COPPICE_LEASE_TOKEN'] = token;
    it.world.time = Date.UTC(2001, 0, 1);
    expect((await it.acquire()).lease).toMatchObject({ acquired: it.world.time, expires: it.world.time + 2 * HOUR });
    expect(await it.show()).toBe('live');
  });

  it('forward and back again takes nothing from its holder', async () => {
    const it = stage();
    const { token } = await it.acquire();
    it.world.time += 365 * DAY;
    expect(await it.show()).toBe('expired');
    it.world.time -= 365 * DAY;
    expect(await it.show()).toBe('live');
    expect(await it.keep(token)).toMatchObject({ lease: { epoch: 1 } });
  });

  it('back does not let anybody in', async () => {
    const it = stage();
    await it.acquire();
    it.world.time -= 365 * DAY;
    await expect(it.acquire({ steal: 'because' })).rejects.toMatchObject(refusal('lease-held', 3));
  });
});

describe('the working copy', () => {
  const move = ({ r, tree }: Stage, to: string) => r.git('worktree', 'move', tree, join(r.places.root, to));

  it('keeps its lease when it is moved, and the heartbeat tells where it is', async () => {
    const it = stage();
    const { token } = await it.acquire();
    move(it, 'app-y');
    const there = join(it.r.places.root, 'app-y');
    expect(await it.show(there)).toBe('live');
    // The old path still means the lease that was recorded there.
    expect(await it.show()).toBe('live');
    expect((await it.keep(token, HOUR, { worktree: there })).lease.worktree).toBe(there);
    expect(await it.show()).toBe('none');
  });

  it('that is made again in the same place has none', async () => {
    const it = stage();
    const first = await it.acquire();
    it.r.git('worktree', 'remove', it.tree);
    it.r.git('worktree', 'add', '--quiet', it.tree, 'app-x');
    expect(await it.show()).toBe('none');
    const second = await it.acquire();
    expect(second.lease.epoch).toBe(1);
    expect(second.key).not.toBe(first.key);
    // Both are kept apart by their tokens.
    expect((await it.keep(first.token)).key).toBe(first.key);
    expect((await it.release(first.token)).kept?.key).toBe(first.key);
    expect((await it.release(first.token)).kept).toBeNull();
    expect(await it.show()).toBe('live');
    expect((await it.release(second.token)).kept?.key).toBe(second.key);
  });

  it.each(['git worktree remove', 'rm -r', 'rm -r, and a plain folder in its place'])(
    'gone by %s: its lease is kept and given back',
    async (how) => {
      const it = stage();
      const { token } = await it.acquire();
      if (how === 'git worktree remove') it.r.git('worktree', 'remove', it.tree);
      else rmSync(it.tree, { recursive: true });
      if (how.endsWith('place')) cpSync(join(it.r.work, 'wood'), it.tree, { recursive: true });
      expect(await it.show()).toBe('live');
      await expect(it.keep(null)).rejects.toMatchObject(refusal('token-missing'));
      await expect(it.keep('a'.repeat(64))).rejects.toMatchObject(refusal('wrong-token'));
      expect((await it.keep(token, 3 * HOUR)).lease.expires).toBe(it.world.time + 3 * HOUR);
      await expect(it.acquire({ directory: it.r.work, worktree: it.tree })).rejects.toMatchObject(
        refusal('not-a-worktree'),
      );
      expect((await it.release(token)).kept).not.toBeNull();
      expect(await it.show()).toBe('released');
    },
  );

  it('gone, with a lease among them that cannot be read: it may be the one', async () => {
    const it = stage();
    const { token } = await it.acquire();
    it.r.git('worktree', 'remove', it.tree);
    writeFileSync(stateOf(it.r, 'leases', `${'f'.repeat(32)}.json`), '', { mode: 0o600 });
    await expect(it.show()).rejects.toMatchObject(refusal('lease-unreadable'));
    await expect(it.release('a'.repeat(64))).rejects.toMatchObject(refusal('lease-unreadable'));
    // The token tells.
    expect((await it.release(token)).kept).not.toBeNull();
  });

  it('a folder inside of another worktree is not that worktree', async () => {
    const it = stage();
    const main = await it.acquire({ directory: it.r.work });
    for (const worktree of [join(it.r.work, 'wood'), join(it.r.work, 'nothing')]) {
      expect(await it.show(worktree)).toBe('none');
      await expect(it.acquire({ worktree })).rejects.toMatchObject(refusal('not-a-worktree'));
      expect((await it.release(main.token, { worktree })).kept).toBeNull();
    }
    expect(await it.show(it.r.work)).toBe('live');
  });

  it('through a link is the same', async () => {
    const it = stage();
    await it.acquire();
    symlinkSync(it.tree, join(it.r.places.root, 'link'));
    expect(await it.show(join(it.r.places.root, 'link'))).toBe('live');
    symlinkSync(it.r.places.root, join(it.r.places.root, 'up'));
    expect(await it.show(join(it.r.places.root, 'up', 'app-x'))).toBe('live');
    it.r.git('worktree', 'remove', it.tree);
    expect(await it.show(join(it.r.places.root, 'up', 'app-x'))).toBe('live');
  });

  it('that was copied or moved by hand is refused', async () => {
    const it = stage();
    cpSync(it.tree, `${it.tree}-copy`, { recursive: true });
    await expect(it.acquire({ directory: `${it.tree}-copy` })).rejects.toMatchObject(refusal('pointer-broken'));
    renameSync(it.tree, `${it.tree}-moved`);
    await expect(it.acquire({ directory: `${it.tree}-moved` })).rejects.toMatchObject(refusal('pointer-broken'));
    it.r.git('worktree', 'repair', `${it.tree}-moved`);
    expect(await it.acquire({ directory: `${it.tree}-moved` })).toMatchObject({ how: 'acquired' });
  });

  it.each([
    ['detached', (r: Repository) => r.git('checkout', '--quiet', '--detach'), { branch: null }],
    [
      'without a commit',
      (r: Repository) => r.git('checkout', '--quiet', '--orphan', 'new'),
      { branch: 'refs/heads/new', head: null },
    ],
  ] as const)('%s', async (_, make, lease) => {
    const it = stage();
    make(it.r);
    expect(await it.acquire({ directory: it.r.work })).toMatchObject({ lease });
  });

  it('a bare repository, and a git directory, have none', async () => {
    const it = stage();
    for (const directory of [it.r.origin, join(it.r.work, '.git')]) {
      await expect(it.acquire({ directory })).rejects.toMatchObject(refusal('not-a-worktree'));
    }
    await expect(it.acquire({ directory: it.r.places.home })).rejects.toMatchObject(refusal('not-a-repository'));
    await expect(it.acquire({ directory: join(it.r.places.home, 'x') })).rejects.toMatchObject(
      refusal('no-such-folder'),
    );
  });
});

describe('the key', () => {
  const keyOf = ({ r }: Stage) => join(r.work, '.git', 'worktrees', 'app-x', 'coppice-key');

  it("is made by what writes alone, and is this account's", async () => {
    const it = stage();
    await it.show();
    await it.release('a'.repeat(64));
    expect(existsSync(keyOf(it))).toBe(false);
    const { key } = await it.acquire();
    expect(readFileSync(keyOf(it), 'utf8')).toBe(`${key}\n`);
    expect(statSync(keyOf(it)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(keyOf(it), '..')).filter((name) => name.startsWith('.coppice'))).toEqual([]);
  });

  const spoiled: Readonly<Record<string, (path: string) => void>> = {
    empty: (path) => writeFileSync(path, ''),
    'no key': (path) => writeFileSync(path, '../../x\n'),
    'too long': (path) => writeFileSync(path, 'a'.repeat(33)),
    'in capitals': (path) => writeFileSync(path, 'A'.repeat(32)),
    'open to others': (path) => chmodSync(path, 0o622),
    'a link': (path) => {
      renameSync(path, `${path}.aside`);
      symlinkSync(`${path}.aside`, path);
    },
    ...(isRoot && { "another account's": giveToStranger }),
  };

  it.each(Object.entries(spoiled))('that is %s is unknown, and is not replaced', async (_, spoil) => {
    const it = stage();
    const { token } = await it.acquire();
    spoil(keyOf(it));
    expect(readKey(join(keyOf(it), '..'), ACCOUNT).kind).toBe('unknown');
    await expect(it.show()).rejects.toMatchObject(refusal('key-unreadable'));
    await expect(it.acquire()).rejects.toMatchObject(refusal('key-unreadable'));
    await expect(it.keep(token)).rejects.toMatchObject(refusal('key-unreadable'));
    await expect(it.release(token)).rejects.toMatchObject(refusal('key-unreadable'));
    expect(readLeases({ commonDir: join(it.r.work, '.git'), account: ACCOUNT })).toMatchObject({ kind: 'known' });
  });
});

describe('a lease that cannot be read', () => {
  it('lets nobody in, and stays as it is', async () => {
    const it = stage();
    const { token, key } = await it.acquire();
    writeFileSync(leaseFile(it.r), '{');
    for (const call of [
      () => it.acquire(),
      () => it.acquire({ steal: 'x' }),
      () => it.keep(token),
      () => it.release(token),
      () => it.show(),
    ]) {
      await expect(call()).rejects.toMatchObject({
        ...refusal('lease-unreadable'),
        message: `${it.tree}: the lease cannot be read: it is no JSON`,
        hint: expect.stringContaining(`have a look at ${stateOf(it.r, 'leases', `${key}.json`)}`),
      });
    }
    expect(readFileSync(stateOf(it.r, 'leases', `${key}.json`), 'utf8')).toBe('{');
  });
});

describe('the token file', () => {
  it('is where coppice keeps tokens, unless it is named', async () => {
    const it = stage();
    const { token, tokenFile, key } = await it.acquire();
    expect(tokenFile).toBe(stateOf(it.r, 'tokens', key));
    expect(readFileSync(tokenFile as string, 'utf8')).toBe(`${token}\n`);
    expect(statSync(tokenFile as string).mode & 0o777).toBe(0o600);
    await it.release(token);
    const second = await it.acquire({ tokenFile: '../mine' });
    expect(second.tokenFile).toBe(join(it.r.places.root, 'mine'));
    expect(readFileSync(second.tokenFile as string, 'utf8')).toBe(`${second.token}\n`);
    expect(statSync(second.tokenFile as string).mode & 0o777).toBe(0o600);
    expect(readdirSync(stateOf(it.r, 'tokens'))).toEqual([]);
    // It is the caller's own, and stays.
    await it.release(null, { tokenFile: second.tokenFile });
    expect(existsSync(second.tokenFile as string)).toBe(true);
  });

  it('renews too', async () => {
    const it = stage();
    const first = await it.acquire({ tokenFile: '../mine' });
    expect(await it.acquire({ tokenFile: '../mine' })).toMatchObject({ how: 'renewed', tokenFile: first.tokenFile });
    it.world.env['COPPICE_LEASE_TOKEN'] = 'of another lease';
    expect(await it.acquire({ tokenFile: '../mine' })).toMatchObject({ how: 'renewed' });
    it.world.env['COPPICE_LEASE_TOKEN'] = first.token;
    expect(await it.acquire({ tokenFile: '../other' })).toMatchObject({ how: 'renewed' });
    expect(readFileSync(join(it.r.places.root, 'other'), 'utf8')).toBe(`${first.token}\n`);
  });

  const there: Readonly<Record<string, readonly [string, (path: string) => void]>> = {
    'a token of another lease': ['file-exists', (path) => writeFileSync(path, `${'a'.repeat(64)}\n`, { mode: 0o600 })],
    'a text': ['token-unreadable', (path) => writeFileSync(path, 'x', { mode: 0o600 })],
    'a link to nothing': ['token-unreadable', (path) => symlinkSync('nothing', path)],
    'a folder': ['token-unreadable', (path) => cpSync(join(path, '..', 'work', 'wood'), path, { recursive: true })],
  };
  it.each(Object.entries(there))('is not put where there is %s', async (_, [code, make]) => {
    const it = stage();
    make(join(it.r.places.root, 'mine'));
    await expect(it.acquire({ tokenFile: '../mine' })).rejects.toMatchObject(refusal(code));
    expect(await it.show()).toBe('none');
  });

  it('is not put where there is no folder', async () => {
    const it = stage();
    await expect(it.acquire({ tokenFile: '../no/mine' })).rejects.toMatchObject(refusal('write-failed'));
    expect(await it.show()).toBe('none');
  });

  it('must be of this account alone to be read', async () => {
    const it = stage();
    const { tokenFile } = await it.acquire();
    chmodSync(tokenFile as string, 0o622);
    await expect(it.keep(null, undefined, { tokenFile })).rejects.toMatchObject(refusal('token-unreadable'));
    chmodSync(tokenFile as string, 0o600);
    expect((await it.keep('x', undefined, { tokenFile })).lease.epoch).toBe(1);
  });
});

describe('keeping alive', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => void vi.useRealTimers();
  });

  it('goes on until it is ended, one beat at a time', async () => {
    const beats: (() => void)[] = [];
    const alive = keepAlive(1000, () => new Promise((resolve) => beats.push(() => resolve(true))));
    await vi.advanceTimersByTimeAsync(999);
    expect(beats).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(beats).toHaveLength(1);
    beats[0]?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(beats).toHaveLength(2);
    // The end waits for what is under way, and nothing follows.
    let isOver = false;
    const ending = alive.end().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(isOver).toBe(false);
    beats[1]?.();
    await ending;
    await vi.advanceTimersByTimeAsync(5000);
    expect(beats).toHaveLength(2);
  });

  it('ends when a beat is in vain', async () => {
    const beat = vi.fn(async () => false);
    const alive = keepAlive(1000, beat);
    await vi.advanceTimersByTimeAsync(5000);
    await alive.end();
    expect(beat).toHaveBeenCalledTimes(1);
  });

  it('throws what is a bug, at the end', async () => {
    const alive = keepAlive(1000, () => Promise.reject(new TypeError('a bug')));
    await vi.advanceTimersByTimeAsync(5000);
    await expect(alive.end()).rejects.toThrow('a bug');
  });
});
