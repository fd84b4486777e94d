/** What people do with linked worktrees: work that is finished in them, and all that speaks against taking one away. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { entry } from '../support/cli.ts';
import { runAlongside } from '../support/processes.ts';
import { inodeOf } from './desks.ts';
import type { Ground } from './ground.ts';
import type { Deed } from './people.ts';

/** With it most rounds begin. */
export const FURNISHED = 'a linked worktree whose work is merged';

/** In a worktree that is at home, where there is one. */
const inDesk =
  (work: (ground: Ground, folder: string) => Promise<void> | void): Deed['run'] =>
  async (ground) => {
    const folders = ground.places().slice(1);
    if (folders.length > 0) await work(ground, ground.random.pick(folders));
  };

/** @param finish makes a branch whose work is merged, and tells its name; null: git refused. */
export function peopleOfDesks(finish: (ground: Ground) => Promise<string | null>): readonly Deed[] {
  return [
    {
      name: FURNISHED,
      weight: 18,
      async run(ground) {
        const name = await finish(ground);
        if (name === null) return;
        const folder = placeFor(ground);
        const { code } = await ground.git(ground.r.work, 'worktree', 'add', '--quiet', folder, name);
        if (code !== 0) return;
        if (!ground.desks.includes(folder)) ground.desks.push(folder);
        await furnish(ground, folder);
      },
    },
    {
      name: 'something that is not committed',
      weight: 3,
      run: inDesk(async (ground, folder) => {
        const file = join(folder, ground.random.chance(50) ? `untracked-${ground.next()}.txt` : 'wood/alpha.txt');
        if (!existsSync(join(folder, 'wood'))) return;
        writeFileSync(file, `edited ${ground.next()}\n`);
        ground.log.push(`edited ${file}`);
        if (ground.random.chance(40)) await ground.git(folder, 'add', '--all');
      }),
    },
    {
      name: 'all of that given up',
      weight: 3,
      run: inDesk(async (ground, folder) => {
        await ground.git(folder, 'reset', '--quiet', '--hard');
        await ground.git(folder, 'clean', '--quiet', '-fd');
      }),
    },
    {
      name: "git's lock",
      weight: 2,
      run: inDesk(
        async (ground, folder) =>
          void (await ground.git(ground.r.work, 'worktree', 'lock', '--reason', 'mine', folder)),
      ),
    },
    {
      name: "git's lock taken away",
      weight: 2,
      run: inDesk(async (ground, folder) => void (await ground.git(ground.r.work, 'worktree', 'unlock', folder))),
    },
    { name: 'a program that works in one', weight: 2, run: inDesk((ground, folder) => enter(ground, folder, false)) },
    { name: 'a program that writes to one', weight: 2, run: inDesk((ground, folder) => enter(ground, folder, true)) },
    { name: 'programs that end', weight: 3, run: async (ground) => endGuests(ground) },
    { name: 'a lease', weight: 2, run: inDesk(lease) },
    { name: 'leases given back', weight: 2, run: release },
    {
      name: 'a worktree moved',
      weight: 2,
      run: inDesk(async (ground, folder) => {
        const to = placeFor(ground);
        const { code } = await ground.git(ground.r.work, 'worktree', 'move', folder, to);
        if (code === 0 && !ground.desks.includes(to)) ground.desks.push(to);
      }),
    },
    {
      name: 'something where one was',
      weight: 2,
      async run(ground) {
        const free = ground.desks.filter((folder) => !existsSync(folder));
        if (free.length === 0) return;
        const folder = ground.random.pick(free);
        mkdirSync(folder);
        writeFileSync(join(folder, 'file'), 'of somebody else');
        ground.log.push(`mkdir ${folder}`);
      },
    },
    {
      name: 'that taken away again',
      weight: 2,
      async run(ground) {
        for (const folder of ground.desks)
          if (existsSync(folder) && readdirSync(folder).join() === 'file') rmSync(folder, { recursive: true });
      },
    },
    {
      name: 'worktrees pruned',
      weight: 2,
      run: async (ground) => void (await ground.git(ground.r.work, 'worktree', 'prune')),
    },
  ];
}

/** Often where one was, so that its place and its name are taken. */
function placeFor(ground: Ground): string {
  const free = ground.desks.filter((folder) => !existsSync(folder));
  if (free.length > 0 && ground.random.chance(40)) return ground.random.pick(free);
  const number = ground.next();
  // The name alone, elsewhere.
  const name =
    ground.desks.length > 0 && ground.random.chance(20) ? basename(ground.random.pick(ground.desks)) : `desk-${number}`;
  return name === `desk-${number}` ? join(ground.root, name) : join(ground.root, `elsewhere-${number}`, name);
}

/** What worktrees have beside what is tracked. */
async function furnish(ground: Ground, folder: string): Promise<void> {
  const { random } = ground;
  if (random.chance(60)) {
    mkdirSync(join(folder, 'node_modules/deep'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/deep/run.sh'), 'x', { mode: 0o755 });
    symlinkSync('/nowhere', join(folder, 'node_modules/dangling'));
    chmodSync(join(folder, 'node_modules/deep'), 0o555);
  }
  if (random.chance(30)) writeFileSync(join(folder, '.env'), `SECRET=${ground.next()}`, { mode: 0o600 });
  if (random.chance(20)) await ground.git(folder, 'checkout', '--quiet', '--detach');
  if (random.chance(20)) {
    const own = await ground.ask(folder, 'commit-tree', '-m', `only here ${ground.next()}`, 'HEAD^{tree}');
    await ground.git(folder, 'update-ref', '--create-reflog', 'refs/worktree/mine', own.stdout.toString().trim());
  }
  if (random.chance(15)) await ground.git(folder, 'sparse-checkout', 'set', '--no-cone', '/*', '!wood/beta.txt');
  if (existsSync(join(folder, '.gitmodules')) && random.chance(60))
    await ground.git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
  if (random.chance(20)) {
    ground.r.clock.advance();
    // The same work by another id.
    await ground.git(folder, 'commit', '--quiet', '--amend', '--allow-empty', '--message=amended');
    ground.spent.add((await ground.ask(folder, 'rev-parse', 'HEAD')).stdout.toString().trim());
  }
}

/** @param isWriter it stays outside, with a file open that it writes to. */
function enter(ground: Ground, folder: string, isWriter: boolean): void {
  const ino = inodeOf(folder);
  if (ino === null || !existsSync(join(folder, '.git'))) return;
  const log = isWriter ? openSync(join(folder, 'written.log'), 'a') : null;
  const script = isWriter ? 'while :; do echo more; sleep 0.05; done' : 'sleep 600 & wait';
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: isWriter ? '/' : folder,
    stdio: ['ignore', log ?? 'ignore', 'ignore'],
    detached: true,
  });
  if (log !== null) closeSync(log);
  if (child.pid !== undefined) ground.guests.set(child.pid, ino);
  ground.log.push(`${isWriter ? 'a writer' : 'somebody'} in ${folder}`);
}

/** Only what this round has started, each by its process group. */
export function endGuests(ground: Ground): void {
  for (const pid of ground.guests.keys()) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  if (ground.guests.size > 0) ground.log.push('they end');
  ground.guests.clear();
}

async function lease(ground: Ground, folder: string): Promise<void> {
  // It waits for the lock that coppice has meanwhile.
  if (ground.isHalted || ground.leased.has(folder)) return;
  const file = join(ground.root, `token-${ground.next()}`);
  const { code } = await own(ground, 'lease', 'acquire', '--worktree', folder, '--token-file', file);
  if (code === 0) ground.leased.set(folder, file);
}

async function release(ground: Ground): Promise<void> {
  if (ground.isHalted) return;
  for (const [folder, file] of ground.leased) {
    const { code } = await own(ground, 'lease', 'release', '--worktree', folder, '--token-file', file);
    if (code === 0) ground.leased.delete(folder);
  }
}

async function own(ground: Ground, ...words: readonly string[]) {
  const told = await runAlongside(process.execPath, [entry, ...words], { cwd: ground.r.work, env: ground.r.env });
  ground.log.push(`git-like coppice ${words.join(' ')} -> ${told.code} ${told.stderr.trim()}`);
  return told;
}
