/** Links in a worktree are themselves: never followed, never taken for what they lead to, and never a way out. */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { ALPHA } from '../support/repository.ts';
import { snapshot } from '../support/snapshot.ts';
import { type Case, expectCodes, codesIn, rowOf, temporaryDesk, together, type Wanted } from '../support/worktree.ts';

const ARCHIVED: Wanted = { noted: ['archived'], notNoted: ['rebuildable', 'duplicate'] };

/** A link at `name` to `target`; `{main}`, `{root}` and `{desk}` stand for the folders. */
const link = (name: string, target: string, wanted: Wanted = ARCHIVED): Case => ({
  build: (r, desk) => {
    mkdirSync(join(desk, 'scratch'), { recursive: true });
    writeFileSync(join(desk, 'scratch', 'file'), 'x');
    const to = target.replace('{main}', r.work).replace('{root}', r.places.root).replace('{desk}', desk);
    symlinkSync(to, join(desk, name));
  },
  ...wanted,
});

describe('an ignored link', () => {
  together(
    {
      'to nowhere': link('.env.link', 'nowhere'),
      'to itself': link('.env.link', '.env.link'),
      'to the folder that it lies in': link('scratch/link', '.'),
      'to the top of the worktree': link('scratch/link', '{desk}'),
      'to the main checkout': link('scratch/link', '{main}'),
      "to the repository's git directory": link('scratch/link', '{main}/.git'),
      'to the root of all': link('scratch/link', '/'),
      'to another repository': link('scratch/link', '{root}/stranger'),
      'to a folder with more files than may be': link('scratch/link', '{root}/many'),
      'to a file larger than may be': link('scratch/link', '{root}/large'),
      'to a link to another repository': link('scratch/link', '{root}/chain'),
      "to the main checkout's node_modules": link('node_modules', '{main}/node_modules'),
      'to a build folder': link('dist', '{main}/dist'),
      'to a virtual environment': link('.venv', '{main}/.venv'),
      'to a device': link('.env.link', '/dev/zero'),
    },
    (r) => {
      const { root } = r.places;
      r.git('init', '-q', join(root, 'stranger'));
      symlinkSync('stranger', join(root, 'chain'));
      mkdirSync(join(root, 'many'));
      for (let at = 0; at <= 1000; at++) writeFileSync(join(root, 'many', `${at}`), '');
      writeFileSync(join(root, 'large'), Buffer.alloc(17 * 1024 * 1024));
      r.write('node_modules/a/index.js', 'x');
      r.write('dist/app.js', 'x');
      r.write('.venv/pyvenv.cfg', 'home = /usr/bin\n');
    },
  );
});

describe('another link', () => {
  together({
    'is a new file, whatever it leads to': link('new', '{main}', { holds: ['untracked'] }),
    'is a new file, also where a folder of that name would be ignored': {
      build: (r, desk) => {
        writeFileSync(join(desk, 'wood', '.gitignore'), 'build/\n.gitignore\n');
        symlinkSync(r.work, join(desk, 'wood', 'build'));
      },
      holds: ['untracked'],
      noted: ['archived'],
    },
    'among what tools make again is not followed': {
      build: (r, desk) => {
        mkdirSync(join(desk, 'node_modules'));
        symlinkSync(r.work, join(desk, 'node_modules', 'self'));
      },
      noted: ['rebuildable'],
    },
    'to the folder from which git would take a tracked file': {
      build: (_r, desk) => {
        renameSync(join(desk, 'wood'), join(desk, 'scratch'));
        symlinkSync('scratch', join(desk, 'wood'));
        writeFileSync(join(desk, ALPHA), 'x');
      },
      holds: ['modified', 'untracked'],
    },
  });

  it('counts as one file, and where it leads nothing is touched', async () => {
    const { r, desk } = temporaryDesk();
    const outside = join(r.places.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), 'x');
    mkdirSync(join(desk, 'scratch'));
    for (const [name, target] of [
      ['a', outside],
      ['b', '/proc'],
      ['c', '/'],
    ] as const)
      symlinkSync(target, join(desk, 'scratch', name));
    const before = snapshot(outside);
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), ARCHIVED);
    expect(rowOf(sweep, 'desk').state.changes.ignored.precious).toBe(3);
    expect(snapshot(outside)).toEqual(before);
  });
});
