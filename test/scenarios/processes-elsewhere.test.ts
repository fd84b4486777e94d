/** Processes that see a worktree at another path: in a mount namespace of their own, as containers do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { look } from '../support/cli.ts';
import { plainPath } from '../support/environment.ts';
import { canMount, mountBound } from '../support/mounts.ts';
import { apart, canOccupy, occupy, type Step } from '../support/occupants.ts';
import { giveAway, unprivileged } from '../support/other-account.ts';
import { run } from '../support/processes.ts';
import { ALPHA, type Repository } from '../support/repository.ts';
import { type Case, codesIn, expectCodes, temporaryDesk, together } from '../support/worktree.ts';

const INSIDE = ['process-inside'];
const PERHAPS = ['process-possibly-inside'];

/** Not every machine lets ordinary accounts have namespaces of their own. */
const APART = ['unshare', '--user', '--map-root-user'];
const canBeApart =
  canMount &&
  run('/usr/bin/env', [...(unprivileged.through ?? []), ...APART, 'true'], { cwd: '/', env: { PATH: plainPath } })
    .code === 0;

/** A folder to mount at, beside the repository. */
function place(r: Repository, desk: string, name: string): string {
  const path = join(r.places.root, 'places', basename(desk), name);
  mkdirSync(path, { recursive: true });
  return path;
}

interface Shown {
  /** What is mounted at `at`. */
  readonly what: (desk: string, r: Repository) => string;
  readonly steps: (at: string, desk: string) => readonly Step[];
  /** Done after the mount: `$1` is what, `$2` is at. */
  readonly after?: string;
}

function shown(holds: readonly string[], { what, steps, after = ':' }: Shown): Case {
  return {
    build: async (r, desk) => {
      const from = what(desk, r);
      const at = join(place(r, desk, '.'), 'at');
      if (from.endsWith('.txt')) writeFileSync(at, '');
      else mkdirSync(at);
      await occupy(steps(at, desk), { through: apart(`mount --bind "$1" "$2"; ${after}`, from, at) });
    },
    holds,
  };
}

const top = (desk: string) => desk;
const below = (desk: string) => join(desk, 'wood');
const above = (_desk: string, r: Repository) => r.places.root;

describe.skipIf(!canOccupy || !canMount)('a process in another mount namespace', () => {
  together({
    'that works in a mount of the worktree': shown(INSIDE, { what: top, steps: (at) => [['cd', at]] }),
    'that works below a mount of the worktree': shown(INSIDE, { what: top, steps: (at) => [['cd', join(at, 'wood')]] }),
    'that works in a mount of a folder of it': shown(INSIDE, { what: below, steps: (at) => [['cd', at]] }),
    'that works in a mount of a folder above it': shown(INSIDE, {
      what: above,
      steps: (at, desk) => [['cd', join(at, basename(desk), 'wood')]],
    }),
    'that has a file open in a mount of the worktree': shown(INSIDE, {
      what: top,
      steps: (at) => [['read', join(at, ALPHA)]],
    }),
    'that has a file open in a mount of a folder above it': shown(INSIDE, {
      what: above,
      steps: (at, desk) => [['read', join(at, basename(desk), ALPHA)]],
    }),
    'that has a file in its memory in a mount of a folder of it': shown(INSIDE, {
      what: below,
      steps: (at) => [['map', join(at, basename(ALPHA))]],
    }),
    'that has one file of it open, which alone is mounted': shown(INSIDE, {
      what: (desk) => join(desk, ALPHA),
      steps: (at) => [['read', at]],
    }),
    'that has one file of it in its memory, which alone is mounted': shown(INSIDE, {
      what: (desk) => join(desk, ALPHA),
      steps: (at) => [['map', at]],
    }),
    'that has its git directory mounted and open': shown(INSIDE, {
      what: (desk, r) => r.path(join('.git/worktrees', basename(desk))),
      steps: (at) => [['read', join(at, 'index')]],
    }),
    'that is told of changes in a mount of it': shown(PERHAPS, { what: top, steps: (at) => [['watch', at]] }),
    'whose root is a mount of it': shown(INSIDE, { what: top, steps: (at) => [['chroot', at]] }),
    'whose root is a mount of a folder above it, and who has a file open': shown(INSIDE, {
      what: above,
      steps: (at, desk) => [
        ['chroot', at],
        ['read', join('/', basename(desk), ALPHA)],
      ],
    }),
    'that works in a mount of it that was taken away': shown(INSIDE, {
      what: top,
      steps: () => [],
      after: 'cd "$2"; umount -l "$2"',
    }),
    'that only sees it elsewhere': shown([], { what: top, steps: () => [] }),
    'that works in an overlay of it': {
      build: async (r, desk) => {
        const at = place(r, desk, 'overlay');
        const mount =
          'mount -t tmpfs none "$2"; mkdir "$2/up" "$2/work" "$2/at"; ' +
          'mount -t overlay none -o "lowerdir=$1,upperdir=$2/up,workdir=$2/work" "$2/at"; cd "$2/at"';
        await occupy([], { through: apart(mount, desk, at) });
      },
      holds: INSIDE,
    },
    'that works in the other part of a mount of a folder above it': shown([], {
      what: above,
      steps: (at) => [['cd', join(at, 'work')]],
    }),
    'that has a mount of the same name and another content': {
      build: async (_r, desk) => {
        await occupy([['cd', desk]], { through: apart('mount -t tmpfs none "$1"; cd "$1"', desk) });
      },
      // What a mount hides is not told from what is seen: it stays.
      holds: INSIDE,
    },
    'that works in the worktree itself': {
      build: async (_r, desk) => void (await occupy([['cd', desk]], { through: apart(':') })),
      holds: INSIDE,
    },
    'that has another folder hide what is above it, and works below that': {
      build: async (r, desk) => {
        const other = place(r, desk, 'other');
        mkdirSync(join(other, basename(desk)));
        const through = apart('mount --bind "$1" "$2"', other, dirname(desk));
        await occupy([['cd', desk]], { through });
      },
      holds: INSIDE,
    },
  });

  it.skipIf(!canBeApart)('is of the same ordinary account, as that of a container without root', async () => {
    const { r, desk } = temporaryDesk();
    const at = place(r, desk, 'at');
    giveAway(r.places.root);
    const through = (unprivileged.through ?? []).slice();
    const steps: readonly Step[] = [['cd', join(at, 'wood')]];
    await occupy(steps, { through: [...through, ...APART, ...apart('mount --bind "$1" "$2"', desk, at)] });
    expectCodes(codesIn(await look(r, unprivileged), 'desk'), { holds: INSIDE });
  });

  it('may not be looked at, and sees the worktree elsewhere', async () => {
    const { r, desk } = temporaryDesk();
    const at = place(r, desk, 'at');
    giveAway(r.places.root);
    expectCodes(codesIn(await look(r, unprivileged), 'desk'), { noted: ['processes-unreadable'] });
    const inside = await occupy([], { through: apart('mount --bind "$1" "$2"', join(desk, 'wood'), at) });
    expectCodes(codesIn(await look(r, unprivileged), 'desk'), { holds: PERHAPS });
    await inside.end();
    // A namespace in which all is where it was, as services of the system have.
    await occupy([], { through: apart(':') });
    expectCodes(codesIn(await look(r, unprivileged), 'desk'), { noted: ['processes-unreadable'] });
  });
});

describe.skipIf(!canOccupy || !canMount)('mounts that this account sees itself', () => {
  it('lead into the worktree as well', async () => {
    const { r, desk } = temporaryDesk();
    const [whole, part] = ['whole', 'part'].map((name) => place(r, desk, name)) as [string, string];
    mountBound(desk, whole);
    mountBound(join(desk, 'wood'), part);
    expectCodes(codesIn(await look(r), 'desk'), {});
    for (const at of [join(whole, 'wood'), part]) {
      const { end } = await occupy([['cd', at]]);
      expectCodes(codesIn(await look(r), 'desk'), { holds: INSIDE });
      await end();
    }
  });
});
