/** Who is in a worktree: each use of it alone keeps one that nothing else would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LOOK, look, runCli, sweepOf } from '../support/cli.ts';
import { canOccupy, occupy, type Step } from '../support/occupants.ts';
import { isRoot } from '../support/other-account.ts';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import {
  alone,
  type Case,
  codesIn,
  expectCodes,
  gitAt,
  rowOf,
  temporaryDesk,
  temporaryMerged,
  together,
} from '../support/worktree.ts';

const INSIDE = ['process-inside'];
const PERHAPS = ['process-possibly-inside'];

function folder(...parts: readonly string[]): string {
  const path = join(...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

function file(...parts: readonly string[]): string {
  const path = join(...parts);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'some text\n');
  return path;
}

/** The worktree's own git directory. */
function admin(r: Repository, desk: string): string {
  return r.path(join('.git/worktrees', basename(desk)));
}

/** A case in which one process does some steps. */
function used(holds: readonly string[], steps: (desk: string, r: Repository) => readonly Step[]): Case {
  return { build: async (r, desk) => void (await occupy(steps(desk, r))), holds };
}

describe.skipIf(!canOccupy)('a process', () => {
  together({
    'nowhere near': { build: () => {} },
    'that works at the top': used(INSIDE, (desk) => [['cd', desk]]),
    'that works deep below': used(INSIDE, (desk) => [['cd', join(desk, 'wood')]]),
    'that works in an ignored folder': used(INSIDE, (desk) => [['cd', folder(desk, 'scratch', 'a', 'b')]]),
    'that works in node_modules': used(INSIDE, (desk) => [['cd', folder(desk, 'node_modules', 'a', 'bin')]]),
    'that works in its git directory': used(INSIDE, (desk, r) => [['cd', admin(r, desk)]]),
    'that came by a link': used(INSIDE, (desk) => {
      symlinkSync(desk, `${desk}-alias`);
      return [['cd', join(`${desk}-alias`, 'wood')]];
    }),
    'that works in a folder of bytes that are no text': used(INSIDE, (desk) => {
      const path = Buffer.concat([Buffer.from(`${folder(desk, 'scratch')}/a\n\\ ^`), Buffer.from([0xe9, 0xff])]);
      mkdirSync(path);
      return [['cd', path]];
    }),
    'that reads a file': used(INSIDE, (desk) => [['read', join(desk, ALPHA)]]),
    'that writes a file': used(INSIDE, (desk) => [['write', file(desk, 'node_modules', 'a.js')]]),
    'that has a file open only to name it': used(INSIDE, (desk) => [['path', join(desk, ALPHA)]]),
    'that lists a folder': used(INSIDE, (desk) => [['list', join(desk, 'wood')]]),
    'that has the folder itself open': used(INSIDE, (desk) => [['list', desk]]),
    'that has a file open whose name is gone': used(INSIDE, (desk) => {
      const path = file(desk, 'scratch', 'gone');
      return [
        ['read', path],
        ['unlink', path],
        ['rmdir', dirname(path)],
      ];
    }),
    'that works in a folder that is gone': used(INSIDE, (desk) => {
      const path = folder(desk, 'scratch');
      return [
        ['cd', path],
        ['rmdir', path],
      ];
    }),
    'that has a file in its memory, and no longer open': used(INSIDE, (desk) => [['map', join(desk, BETA)]]),
    'that has a file with a line end in its name in its memory': used(INSIDE, (desk) => [
      ['map', file(desk, 'node_modules', 'a\nb (deleted)', 'c')],
    ]),
    'that has its index open': used(INSIDE, (desk, r) => [['read', join(admin(r, desk), 'index')]]),
    'whose first thread is over': used(INSIDE, (desk) => [['cd', desk], ['lone-thread']]),
    'with parentheses, spaces and line ends in its name': used(INSIDE, (desk) => [
      ['cd', desk],
      ['name', ') Z 1 (\n) S'],
    ]),
    'that the kernel asks not to be looked at': used(INSIDE, (desk) => [['cd', desk], ['undumpable']]),
    'that works in the folder above': used([], (desk) => [['cd', dirname(desk)]]),
    'that works in a folder beside it, with a longer name': used([], (desk) => [['cd', folder(`${desk}-2`)]]),
    'that has a file open that is also elsewhere by the same name': used([], (_desk, r) => [['read', r.path(ALPHA)]]),
    'that works in the main checkout': used([], (_desk, r) => [['cd', r.path('wood')]]),
    'that has the git directory of another open': used([], (_desk, r) => [['read', r.path('.git/HEAD')]]),
    'that is told of changes at the top': used(PERHAPS, (desk) => [['watch', desk]]),
    'that is told of changes deep below': used(PERHAPS, (desk) => [['watch', folder(desk, 'scratch', 'a', 'b')]]),
    'that is told of changes in node_modules': used(PERHAPS, (desk) => [['watch', folder(desk, 'node_modules', 'a')]]),
    'that is told of changes of a file': used(PERHAPS, (desk) => [['watch', join(desk, ALPHA)]]),
    'that is told of changes, and works there': used(INSIDE, (desk) => [
      ['watch', desk],
      ['cd', desk],
    ]),
    'that is told of changes above it, too': used([], (desk) => [
      ['watch', dirname(desk)],
      ['watch', desk],
      ['watch', join(desk, 'wood')],
    ]),
    'that is told of changes in the folder beside it': used([], (desk) => [['watch', folder(`${desk}-3`)]]),
  });

  describe.skipIf(!isRoot)('with a root of its own', () => {
    together({
      'at the top': used(INSIDE, (desk) => [['chroot', desk]]),
      'below it': used(INSIDE, (desk) => [['chroot', join(desk, 'wood')]]),
      'above it, working at the top': used(INSIDE, (desk) => [
        ['chroot', dirname(desk)],
        ['cd', `/${basename(desk)}`],
      ]),
      'above it, with a file open': used(INSIDE, (desk) => [
        ['chroot', dirname(desk)],
        ['read', join('/', basename(desk), ALPHA)],
      ]),
      'above it, with a file in its memory': used(INSIDE, (desk) => [
        ['chroot', dirname(desk)],
        ['map', join('/', basename(desk), ALPHA)],
      ]),
      'above it, and nothing more': used([], (desk) => [['chroot', dirname(desk)]]),
    });
  });

  alone('in a submodule', {
    build: async (r, desk) => {
      const module = join(r.places.root, 'module');
      r.git('clone', '-q', r.origin, module);
      gitAt(r, desk, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', r.origin, 'sub');
      await occupy([['cd', join(desk, 'sub', 'wood')]]);
    },
    holds: ['process-inside', 'staged'],
  });
});

describe.skipIf(!canOccupy)('a folder of a name that /proc writes for what is gone', () => {
  const setUp = () => {
    const { r, desk } = temporaryDesk();
    const gone = r.worktree('desk (deleted)', 'topic', '-b', 'gone');
    return { r, desk, gone };
  };

  it('is in use itself, and not the one without', async () => {
    const { r, gone } = setUp();
    await occupy([['cd', gone]]);
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), {});
    expectCodes(codesIn(sweep, 'desk-(deleted)'), { holds: INSIDE });
  });

  it('is not in use when the one without is', async () => {
    const { r, desk } = setUp();
    await occupy([['read', join(desk, ALPHA)]]);
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), { holds: INSIDE });
    expectCodes(codesIn(sweep, 'desk-(deleted)'), {});
  });

  it('is not used by who worked in a folder that is gone and was made again', async () => {
    const { r, desk } = setUp();
    await occupy([['cd', desk]]);
    renameSync(desk, `${desk}-2`);
    renameSync(`${desk}-2`, desk);
    expectCodes(codesIn(await look(r), 'desk'), { holds: INSIDE });
    rmSync(desk, { recursive: true });
    gitAt(r, r.work, 'worktree', 'add', '-q', '-f', '-f', desk, 'topic');
    const sweep = await look(r);
    expectCodes(codesIn(sweep, 'desk'), {});
    expectCodes(codesIn(sweep, 'desk-(deleted)'), {});
  });
});

describe.skipIf(!canOccupy)('coppice', () => {
  const [, ...options] = LOOK;

  it('does not count itself and its git, wherever it was called from', async () => {
    const { r, desk } = temporaryDesk();
    const from = async (cwd: string, at: string) =>
      codesIn(sweepOf(await runCli(['-C', at, 'sweep', ...options], { cwd, env: r.env })), 'desk');
    expectCodes(await from('/', r.work), {});
    expectCodes(await from('/', desk), { holds: ['current-worktree'] });
    expectCodes(await from(join(desk, 'wood'), r.work), { holds: ['current-worktree'] });
  });

  it('counts what the shell had started that became coppice', async () => {
    const { r, desk } = temporaryDesk();
    const shell = ['sh', '-c', '(cd "$0" && exec sleep 20 > /dev/null 2>&1) & sleep 0.3; exec "$@"', desk];
    expectCodes(codesIn(await look(r, { through: shell }), 'desk'), { holds: INSIDE });
  });

  it('counts a socket that lies in it', async () => {
    const { r, desk } = temporaryDesk();
    const code = 'require("net").createServer().listen(process.argv[1], () => console.log("ready"))';
    const child = spawn(process.execPath, ['-e', code, join(desk, 'dev.sock')], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    expectCodes(codesIn(await look(r), 'desk'), { holds: INSIDE });
  });

  it('counts the shell that it was called from', async () => {
    const { r, desk } = temporaryDesk();
    const shell = ['sh', '-c', 'cd "$0" && "$@"; exit $?'];
    expectCodes(codesIn(await look(r, { through: [...shell, r.work] }), 'desk'), {});
    expectCodes(codesIn(await look(r, { through: [...shell, desk] }), 'desk'), {
      holds: ['current-worktree', 'process-inside'],
    });
    // As wrappers do: they stand in the worktree and have it look elsewhere.
    const wrapper = ['sh', '-c', 'cd "$0" && (cd / && "$@"); exit $?', desk];
    const result = await runCli(['-C', r.work, 'sweep', ...options], { cwd: '/', env: r.env, through: wrapper });
    expectCodes(codesIn(sweepOf(result), 'desk'), { holds: INSIDE });
  });
});

it.skipIf(!canOccupy)('one of forty is in use: exactly that one is kept', async () => {
  const r = temporaryMerged();
  const desks = Array.from({ length: 40 }, (_, at) => r.worktree(`desk-${at}`, 'topic', '-b', `desk/${at}`));
  const { pid } = await occupy([['cd', join(desks[17] as string, 'wood')]]);
  const sweep = await look(r);
  const kept = sweep.rows.flatMap((row) => (row.kind === 'worktree' && row.action === 'keep' ? [row.id] : []));
  expect(kept).toEqual(['worktree:@', 'worktree:desk-17']);
  expect(rowOf(sweep, 'desk-17').reason.text).toBe(`process ${pid} (perl) works in it`);
});

it.skipIf(!canOccupy)('one of hundreds of processes is in it: exactly that one is named', async () => {
  const { r, desk } = temporaryDesk();
  const count = 300;
  const child = spawn('/bin/sh', ['-c', `for i in $(seq ${count}); do sleep 300 & done; echo ready; wait`], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => void process.kill(-(child.pid as number), 'SIGKILL'));
  await once(child.stdout, 'data');
  expectCodes(codesIn(await look(r), 'desk'), {});
  const { pid } = await occupy([['map', join(desk, ALPHA)]]);
  const sweep = await look(r);
  expectCodes(codesIn(sweep, 'desk'), { holds: INSIDE });
  expect(rowOf(sweep, 'desk').reason.text).toBe(`process ${pid} (perl) has ${join(desk, ALPHA)} in its memory`);
});

it.skipIf(!canOccupy)('a worktree at the tip of the base is kept for who is in it, too', async () => {
  const r = temporaryMerged();
  const desk = r.worktree('desk', 'main', '--detach');
  r.worktree('beside', 'main', '--detach');
  await occupy([['cd', desk]]);
  const sweep = await look(r);
  const { holds } = codesIn(sweep, 'beside');
  expectCodes(codesIn(sweep, 'desk'), { holds: [...holds, ...INSIDE] });
});
