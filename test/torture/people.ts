/** What people and their programs do meanwhile. Each may be refused by git; then nothing was done. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ground } from './ground.ts';
import { peopleOfDesks } from './people-desks.ts';

export interface Deed {
  readonly name: string;
  readonly weight: number;
  run(ground: Ground): Promise<void>;
}

export const PEOPLE: readonly Deed[] = [
  ...peopleOfDesks(finish),
  { name: 'work that is merged', weight: 14, run: async (ground) => void (await finish(ground)) },
  {
    name: 'a commit',
    weight: 4,
    run: async (ground) => commit(ground, ground.random.pick(ground.places())),
  },
  {
    name: 'an amended commit',
    weight: 1,
    async run(ground) {
      const cwd = desk(ground);
      const head = async () => (await ground.ask(cwd, 'rev-parse', 'HEAD')).stdout.toString('utf8').trim();
      const was = await head();
      ground.r.clock.advance();
      await ground.git(cwd, 'commit', '--quiet', '--amend', '--allow-empty', '--message=amended');
      // The same work by another id.
      if (ground.spent.has(was)) ground.spent.add(await head());
    },
  },
  {
    name: 'a checkout',
    weight: 6,
    async run(ground) {
      await ground.git(place(ground), 'checkout', '--quiet', await branch(ground), '--');
    },
  },
  {
    name: 'a detached checkout with a commit',
    weight: 1,
    async run(ground) {
      const cwd = desk(ground);
      await ground.git(cwd, 'checkout', '--quiet', '--detach');
      await commit(ground, cwd);
    },
  },
  {
    name: 'a linked worktree',
    weight: 5,
    run: async (ground) => addDesk(ground, await branch(ground)),
  },
  {
    name: 'a linked worktree with a new branch',
    weight: 2,
    async run(ground) {
      await addDesk(ground, '-b', newName(ground), await branch(ground));
    },
  },
  {
    name: 'a linked worktree taken away',
    weight: 2,
    async run(ground) {
      if (ground.desks.length > 0) await ground.git(ground.r.work, 'worktree', 'remove', '--force', desk(ground));
    },
  },
  {
    name: 'a linked worktree deleted by hand, and pruned',
    weight: 1,
    async run(ground) {
      if (ground.desks.length === 0) return;
      const folder = ground.random.pick(ground.desks);
      ground.log.push(`rm -rf ${folder.slice(ground.root.length + 1)}`);
      rmSync(folder, { recursive: true, force: true });
      if (ground.random.chance(70)) await ground.git(ground.r.work, 'worktree', 'prune');
    },
  },
  {
    name: 'a deletion',
    weight: 3,
    async run(ground) {
      await ground.git(ground.r.work, 'branch', '-D', '--', await branch(ground));
    },
  },
  {
    name: 'a rename',
    weight: 2,
    async run(ground) {
      await ground.git(ground.r.work, 'branch', '-m', '--', await branch(ground), newName(ground));
    },
  },
  {
    name: 'a new branch',
    weight: 4,
    async run(ground) {
      const start = ground.random.pick(['main', 'main~1', ...ground.spent]);
      await ground.git(ground.r.work, 'branch', '--no-track', '--', newName(ground), start);
    },
  },
  {
    name: 'a branch moved by a program',
    weight: 3,
    async run(ground) {
      const ref = `refs/heads/${await branch(ground)}`;
      const old = await ground.answer('rev-parse', '--verify', ref);
      const tree = await treeWith(ground, ref, `program-${ground.next()}.txt`, 'by a program\n');
      const next = await ground.answer('commit-tree', '-p', ref, '-m', 'by a program', tree);
      if (next !== '') await ground.git(ground.r.work, 'update-ref', '-m', 'by a program', ref, next, old);
    },
  },
  {
    name: 'a branch moved back',
    weight: 1,
    async run(ground) {
      const ref = `refs/heads/${await branch(ground)}`;
      await ground.git(ground.r.work, 'update-ref', '-m', 'back', ref, `${ref}~1`);
    },
  },
  {
    name: 'a branch deleted by a program',
    weight: 1,
    async run(ground) {
      await ground.git(ground.r.work, 'update-ref', '-d', `refs/heads/${await branch(ground)}`);
    },
  },
  {
    name: 'a reset',
    weight: 2,
    run: async (ground) => void (await ground.git(desk(ground), 'reset', '--quiet', '--hard', 'HEAD~1')),
  },
  {
    name: 'a rebase that stops',
    weight: 2,
    run: async (ground) => void (await ground.git(desk(ground), 'rebase', '--quiet', '--exec', 'false', 'main~1')),
  },
  {
    name: 'a rebase that is given up',
    weight: 1,
    run: async (ground) => void (await ground.git(desk(ground), 'rebase', '--abort')),
  },
  {
    name: 'a bisect',
    weight: 2,
    run: async (ground) => void (await ground.git(desk(ground), 'bisect', 'start', 'HEAD', 'HEAD~2')),
  },
  {
    name: 'a bisect that is over',
    weight: 1,
    run: async (ground) => void (await ground.git(place(ground), 'bisect', 'reset')),
  },
  {
    name: 'a push',
    weight: 2,
    async run(ground) {
      const ref = `refs/heads/${await branch(ground)}`;
      await ground.git(ground.r.work, 'push', '--quiet', '--set-upstream', 'origin', `${ref}:${ref}`);
    },
  },
  {
    name: 'a setting of a branch',
    weight: 3,
    async run(ground) {
      const name = ground.random.chance(70) ? await branch(ground) : ground.random.pick([...ground.names].sort());
      await ground.git(ground.r.work, 'config', `branch.${name}.description`, `text ${ground.next()}`);
    },
  },
  {
    name: 'another setting',
    weight: 1,
    run: async (ground) => void (await ground.git(ground.r.work, 'config', `alias.a${ground.next()}`, 'status')),
  },
  {
    name: 'packed refs',
    weight: 2,
    run: async (ground) => void (await ground.git(ground.r.work, 'pack-refs', '--all')),
  },
  {
    name: 'a collection of garbage',
    weight: 1,
    run: async (ground) => void (await ground.git(ground.r.work, 'gc', '--quiet')),
  },
  { name: 'everything forgotten', weight: 2, run: forgetAll },
];

/** Takes away everything that git does not need any more. */
export async function forgetAll(ground: Ground): Promise<void> {
  await ground.git(ground.r.work, 'reflog', 'expire', '--expire=now', '--all');
  await ground.git(ground.r.work, 'gc', '--quiet', '--prune=now');
}

/** A worktree, the clone's or a linked one. */
function place(ground: Ground): string {
  return ground.random.pick(ground.places());
}

/** A linked worktree, where there is one. */
function desk(ground: Ground): string {
  return ground.places()[1 + ground.random.below(Math.max(1, ground.places().length - 1))] ?? ground.r.work;
}

async function branch(ground: Ground): Promise<string> {
  const names = (await ground.branches()).filter((name) => name !== 'main');
  return names.length === 0 ? 'main' : ground.random.pick(names);
}

/** Often one that was somebody's, or that stands in the way of one. */
function newName(ground: Ground): string {
  const known = ground.random.pick([...ground.names].sort());
  const kinds = [known, known, `${known}/below`, known.split('/')[0] as string, `new-${ground.next()}`];
  return ground.random.pick(kinds);
}

async function addDesk(ground: Ground, ...what: readonly string[]): Promise<void> {
  const folder = join(ground.root, `desk-${ground.next()}`);
  const { code } = await ground.git(ground.r.work, 'worktree', 'add', '--quiet', folder, ...what);
  if (code === 0) ground.desks.push(folder);
}

async function commit(ground: Ground, cwd: string): Promise<void> {
  const number = ground.next();
  writeFileSync(join(cwd, `work-${number}.txt`), `work ${number}\n`);
  ground.r.clock.advance();
  await ground.git(cwd, 'add', `work-${number}.txt`);
  await ground.git(cwd, 'commit', '--quiet', `--message=work ${number}`);
}

/** A branch, its commit, the same squashed into main without touching any worktree, and main pushed. */
async function finish(ground: Ground): Promise<string | null> {
  const { r } = ground;
  const name = newName(ground);
  const number = ground.next();
  const main = await ground.answer('rev-parse', 'refs/remotes/origin/main');
  const tree = await treeWith(ground, main, `finished-${number}.txt`, `finished ${number}\n`);
  r.clock.advance();
  const own = await ground.answer('commit-tree', '-p', main, '-m', `finished ${number}`, tree);
  r.clock.advance();
  const squashed = await ground.answer('commit-tree', '-p', main, '-m', `${name} (#${number})`, tree);
  const ref = `refs/heads/${name}`;
  const { code } = await ground.git(r.work, 'update-ref', '--create-reflog', '-m', 'commit: finished', ref, own, '');
  if (code !== 0) return null;
  ground.spent.add(own);
  await ground.git(r.work, 'push', '--quiet', 'origin', `${squashed}:refs/heads/main`);
  return name;
}

async function treeWith(ground: Ground, start: string, file: string, content: string): Promise<string> {
  const blob = await ground.feed(content, 'hash-object', '-w', '--stdin');
  const list = await ground.ask(ground.r.work, 'ls-tree', '-z', start);
  return ground.feed(`${list.stdout.toString('utf8')}100644 blob ${blob}\t${file}\0`, 'mktree', '-z');
}
