/** What others need of a worktree's folder or git directory, and what only looks as if it were kept elsewhere. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { ALPHA, type Repository } from '../support/repository.ts';
import { codesIn, expectCodes, gitAt, landMore, temporaryDesk, temporaryMerged } from '../support/worktree.ts';

describe('objects that the repository borrows from a worktree', () => {
  it.each(['scratch/objects', 'node_modules/objects'])('hold it: %s', async (place) => {
    const { r, desk } = temporaryDesk();
    mkdirSync(join(desk, place), { recursive: true });
    r.write('.git/objects/info/alternates', `${join(desk, place)}\n`);
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['nested-repository'] });
  });

  it('hold it where its whole store is a link there', async () => {
    const { r, desk } = temporaryDesk();
    renameSync(r.path('.git/objects'), join(desk, 'scratch'));
    symlinkSync(join(desk, 'scratch'), r.path('.git/objects'));
    expect(codesIn(await look(r), 'desk').holds).toContain('nested-repository');
  });

  it('hold nothing where they lie elsewhere', async () => {
    const { r } = temporaryDesk();
    mkdirSync(join(r.places.root, 'desk-objects'));
    r.write('.git/objects/info/alternates', `# a remark\n${join(r.places.root, 'desk-objects')}\n`);
    expectCodes(codesIn(await look(r), 'desk'), {});
  });
});

describe('a submodule', () => {
  /** `desk` with the submodule `sub`, checked out; all that is in it came from its remote. */
  function withSubmodule(): { r: Repository; desk: string; sub: string } {
    const r = temporaryMerged();
    const source = join(r.places.root, 'source');
    r.git('init', '--quiet', source);
    writeFileSync(join(source, 'file'), 'x');
    gitAt(r, source, 'add', 'file');
    gitAt(r, source, 'commit', '--quiet', '-m', 'file');
    landMore(r, () => r.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'sub'));
    const desk = r.worktree('desk', 'topic');
    gitAt(r, desk, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    return { r, desk, sub: join(desk, 'sub') };
  }

  it.each<[string, readonly string[], (r: Repository, desk: string, sub: string) => void]>([
    ['as cloned', [], () => undefined],
    [
      'in a worktree of which all is filtered',
      [],
      (r) => {
        r.write('.git/info/attributes', ['* filter=own']);
      },
    ],
    [
      'of which a worktree lies elsewhere',
      ['submodule-commits'],
      (r, _desk, sub) => gitAt(r, sub, 'worktree', 'add', '--quiet', '--detach', join(r.places.root, 'elsewhere')),
    ],
    [
      'with a remote that is itself',
      ['submodule-commits'],
      (r, _desk, sub) => {
        gitAt(r, sub, 'checkout', '--quiet', '-b', 'own');
        writeFileSync(join(sub, 'own'), 'x');
        gitAt(r, sub, 'add', 'own');
        gitAt(r, sub, 'commit', '--quiet', '-m', 'own');
        gitAt(r, sub, 'remote', 'add', 'self', '.');
        gitAt(r, sub, 'fetch', '--quiet', 'self');
      },
    ],
    [
      'that is gone, with staged work in its store',
      ['submodule-commits'],
      (r, _desk, sub) => {
        writeFileSync(join(sub, 'staged'), 'x');
        gitAt(r, sub, 'add', 'staged');
        rmSync(sub, { recursive: true });
        mkdirSync(sub);
      },
    ],
    [
      'that a file stands for, behind a flag',
      ['hidden-edits'],
      (r, desk, sub) => {
        gitAt(r, desk, 'update-index', '--assume-unchanged', 'sub');
        rmSync(sub, { recursive: true });
        writeFileSync(sub, 'only copy');
      },
    ],
  ])('%s', async (_title, holds, make) => {
    const { r, desk, sub } = withSubmodule();
    make(r, desk, sub);
    expectCodes(codesIn(await look(r), 'desk'), { holds });
  });
});

describe('settings that count in one worktree only', () => {
  it('start no filter, and hide nothing by attributes of their own', async () => {
    const r = temporaryMerged();
    const told = join(r.places.root, 'told');
    landMore(r, () => r.write('.gitattributes', [`${ALPHA} filter=own`]));
    const settings = join(r.places.root, 'own.config');
    writeFileSync(settings, `[filter "own"]\n\tclean = "touch '${told}'; cat"\n`);
    const desk = r.worktree('desk', 'topic');
    r.git('config', 'includeIf.onbranch:topic.path', settings);
    utimesSync(join(desk, ALPHA), 1_000_000, 1_000_000);
    expectCodes(codesIn(await look(r), 'desk'), {});
    expect(existsSync(told)).toBe(false);
  });
});

describe('a filter with a name beyond ASCII', () => {
  it.each([
    ['is not started', Buffer.from('é'), []],
    ['that is no UTF-8 is not started either, and what it is for not read', Buffer.from([0xe9]), ['probe-failed']],
  ])('%s', async (_title, name, holds) => {
    const r = temporaryMerged();
    const told = join(r.places.root, 'told');
    landMore(r, () => {
      r.write('.gitattributes', Buffer.concat([Buffer.from(`${ALPHA} filter=`), name, Buffer.from('\n')]));
    });
    const desk = r.worktree('desk', 'topic');
    const driver = [Buffer.from('[filter "'), name, Buffer.from(`"]\n\tclean = "touch '${told}'; cat"\n`)];
    appendFileSync(r.path('.git/config'), Buffer.concat(driver));
    utimesSync(join(desk, ALPHA), 1_000_000, 1_000_000);
    const codes = codesIn(await look(r), 'desk');
    expect(existsSync(told)).toBe(false);
    expectCodes(codes, { holds });
  });
});

describe('names that git would read as others', () => {
  it.each(['"f"', 'f\r', 'f\n'])('hide no edit: %j', async (name) => {
    const r = temporaryMerged();
    landMore(r, () => {
      r.write('f', 'text');
      r.write(name, 'text');
    });
    const desk = r.worktree('desk', 'topic');
    gitAt(r, desk, 'update-index', '--skip-worktree', name);
    writeFileSync(join(desk, name), 'only copy');
    expectCodes(codesIn(await look(r), 'desk'), { holds: ['hidden-edits'] });
  });
});
