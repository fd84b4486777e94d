import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { run, VERBS } from '../../src/app.ts';
import { errorSchema } from '../../src/contract/error.ts';
import { UserError } from '../../src/judge/facts/user-error.ts';
import { encodeText } from '../../src/render/decode.ts';
import { branchRow, HOME, HOSTILE, keptRow, recordingContext, sweepOf, worktreeRow } from '../render/samples.ts';

const rows = [worktreeRow('wt-x', `${HOME}/wt/x`), branchRow('feature/x'), keptRow('wip'), branchRow(HOSTILE.invalid)];

async function call(argv: readonly string[], sweep: Parameters<typeof recordingContext>[0] = sweepOf(rows)) {
  const recorded = recordingContext(sweep);
  const code = await run(recorded.context, argv);
  return { code, stdout: recorded.stdout(), stderr: recorded.stderr(), requests: recorded.requests };
}

describe('wrong usage ends with 64, says what was meant, and is one document under --json', () => {
  test.each([
    [['swep'], 'unknown-verb', 'did you mean sweep?'],
    [['constructor'], 'unknown-verb', 'coppice help lists the verbs'],
    [['__proto__'], 'unknown-verb', 'coppice help lists the verbs'],
    [['-C', '/x'], 'missing-verb', 'coppice help lists the verbs'],
    [['--jsn', 'sweep'], 'unknown-flag', 'did you mean --json?'],
    [['-C'], 'missing-value', 'coppice -C DIR sweep'],
    [['sweep', '--no-fetsh'], 'unknown-flag', 'did you mean --no-fetch?'],
    [['sweep', '--fetch'], 'unknown-flag', 'did you mean --no-fetch?'],
    [['sweep', '--no-all'], 'unknown-flag', 'did you mean --all?'],
    [['sweep', '--constructor', 'x'], 'unknown-flag', 'coppice sweep --help lists the flags'],
    [['sweep', '--forc'], 'unknown-flag', 'coppice sweep --help lists the flags'],
    [['sweep', '-x'], 'unknown-flag', 'coppice sweep --help lists the flags'],
    [['sweep', '--9'], 'unknown-flag', 'coppice sweep --help lists the flags'],
    [['sweep', '--base='], 'missing-value', 'coppice sweep --help shows how it is used'],
    [['sweep', '--base=', 'x'], 'missing-value', 'coppice sweep --help shows how it is used'],
    [['sweep', '--base', ''], 'bad-value', 'coppice sweep --help shows how it is used'],
    [['sweep', '--base=-x'], 'bad-value', 'coppice sweep --help shows how it is used'],
    [['sweep', '--base', '--all'], 'missing-value', 'coppice sweep --help shows how it is used'],
    [['sweep', '--base', 'a', '--base', 'b'], 'repeated-flag', 'coppice sweep --help shows how it is used'],
    [['-C', 'a', 'sweep', '-C', 'b'], 'repeated-flag', 'coppice sweep --help shows how it is used'],
    [['sweep', '--only', 'branches'], 'unknown-value', 'did you mean branch?'],
    [['sweep', '--only', 'worktree,'], 'unknown-value', 'it takes worktree, branch, cache'],
    [['sweep', '--all=maybe'], 'bad-value', 'coppice sweep --help shows how it is used'],
    [['sweep', 'extra'], 'unexpected-argument', 'coppice sweep --help shows how it is used'],
    [['explain'], 'missing-argument', 'coppice explain --help shows how it is used'],
    [['explain', 'a', 'b'], 'unexpected-argument', 'coppice explain --help shows how it is used'],
    [['schema', 'sweeep'], 'unknown-schema', 'did you mean sweep?'],
    [['help', 'expl'], 'unknown-verb', 'did you mean explain?'],
    [['swep', '--help'], 'unknown-verb', 'did you mean sweep?'],
  ])('%j', async (argv, code, hint) => {
    const text = await call(argv);
    expect(text).toMatchObject({ code: 64, stdout: '', requests: [] });
    expect(text.stderr).toMatch(/^coppice: .+\n {2}.+\n$/);
    expect(text.stderr).toContain(`\n  ${hint}\n`);

    for (const withJson of [
      [...argv, '--json'],
      ['--json', ...argv],
    ]) {
      if (argv.at(-1)?.startsWith('-') && withJson.at(-1) === '--json') continue; // the flag before it would take it
      const json = await call(withJson);
      expect(json).toMatchObject({ code: 64, stderr: '' });
      expect(v.parse(errorSchema, JSON.parse(json.stdout))).toMatchObject({ code, hint, exit: 64 });
    }
  });

  test('what was typed is shown as it was typed, and safely', async () => {
    expect((await call(['sweep', 'é-\x1b[31m'])).stderr).toContain('unexpected argument "é-\\x1b[31m"');
  });

  test('--json after -- is a name', async () => {
    expect(await call(['explain', '--', '--json'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('sweep', () => {
  test('asks for what the flags say', async () => {
    const { requests } = await call([
      '-C',
      '/srv/app',
      'sweep',
      '--only',
      'branch',
      '--base',
      'main',
      '--remote=up',
      '--no-fetch',
    ]);
    expect(requests).toMatchObject([
      { directory: '/srv/app', base: 'main', remote: 'up', fetch: false, kinds: ['branch'] },
    ]);
  });

  test.each([
    [['sweep'], { directory: `${HOME}/src/app`, base: null, remote: null, fetch: true, kinds: null }],
    [['sweep', '-C', 'sub'], { directory: `${HOME}/src/app/sub` }],
    [['sweep', '-C=sub'], { directory: `${HOME}/src/app/sub` }],
    [['sweep', '--offline'], { fetch: false }],
    [['sweep', '--only', 'branch,worktree'], { kinds: ['branch', 'worktree'] }],
    [['sweep', '--only', 'branch', '--only', 'worktree'], { kinds: ['branch', 'worktree'] }],
  ])('%j', async (argv, request) => expect((await call(argv)).requests).toMatchObject([request]));

  test.each([
    ['something would go', sweepOf([branchRow('x')]), 0, 0],
    ['nothing to do', sweepOf([keptRow('x')]), 1, 0],
    ['blind', sweepOf([branchRow('x')], { blind: true }), 2, 2],
  ])('%s', async (_, sweep, code, exitZero) => {
    for (const json of [[], ['--json']]) {
      expect((await call(['sweep', ...json], sweep)).code).toBe(code);
      expect((await call(['--exit-zero', 'sweep', ...json], sweep)).code).toBe(exitZero);
    }
  });
});

describe('explain', () => {
  test.each([
    ['branch:refs/heads/feature/x', ['branch:refs/heads/feature/x']],
    ['worktree:wt-x', ['worktree:wt-x']],
    [`${HOME}/wt/x`, ['worktree:wt-x']],
    ['~/wt/x', ['worktree:wt-x']],
    ['../../wt/./x/', ['worktree:wt-x']],
    ['wt-x', ['worktree:wt-x']],
    ['refs/heads/wip', ['branch:refs/heads/wip']],
    ['feature/x', ['worktree:wt-x', 'branch:refs/heads/feature/x']],
    ['bad-\\xff\\xc3(', ['branch:refs/heads/bad-\\xff\\xc3(']],
  ])('%s', async (name, ids) => {
    const { code, stdout } = await call(['explain', '--json', name]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).rows.map((row: { id: string }) => row.id)).toEqual(ids);
  });

  test('a name that begins with a dash', async () => {
    const { code } = await call(['explain', '--', '-x'], sweepOf([branchRow('-x')]));
    expect(code).toBe(0);
  });

  test.each([
    ['feature/y', 'did you mean feature/x?'],
    ['feat', 'did you mean feature/x?'],
    ['nothing', 'coppice sweep --all names every row'],
  ])('no %s', async (name, hint) => {
    expect(await call(['explain', name, '--exit-zero'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `coppice: nothing here is called "${name}"\n  ${hint}\n`,
    });
    expect(JSON.parse((await call(['explain', name, '--json'])).stdout)).toMatchObject({
      verb: 'explain',
      code: 'no-such-row',
    });
  });
});

describe('what is thrown', () => {
  test('a refusal is told with its hint and its code', async () => {
    const refuse = () => Promise.reject(new UserError('busy', encodeText(`in ${HOME}/é`), { hint: 'wait', exit: 3 }));
    expect(await call(['sweep'], refuse)).toMatchObject({ code: 3, stdout: '', stderr: 'coppice: in ~/é\n  wait\n' });
    expect(JSON.parse((await call(['sweep', '--json'], refuse)).stdout)).toEqual({
      schema: 'coppice.error.v1',
      verb: 'sweep',
      code: 'busy',
      text: 'in ~/é',
      hint: 'wait',
      exit: 3,
    });
  });

  test.each([[new TypeError('x is \x1b not\na function')], ['a string'], [null]])(
    '%s is a bug, told in one line',
    async (error) => {
      const throws = () => Promise.reject(error);
      const text = await call(['sweep'], throws);
      expect(text.code).toBe(2);
      expect(text.stderr).toMatch(/^coppice: internal error: .*\n {2}This is a bug of coppice.*\n$/);
      expect(JSON.parse((await call(['sweep', '--json'], throws)).stdout)).toMatchObject({
        code: 'internal-error',
        exit: 2,
      });

      const debug = recordingContext(throws, { env: { COPPICE_DEBUG: '1' } });
      expect(await run(debug.context, ['sweep'])).toBe(2);
      expect(debug.stderr().split('\n').length).toBeGreaterThan(error instanceof Error ? 5 : 3);
    },
  );
});

describe('help, schema, demo', () => {
  test.each([[[]], [['--help']], [['-h']], [['help']]])('%j names every verb', async (argv) => {
    const { code, stdout, requests } = await call(argv);
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
    for (const { name } of VERBS) expect(stdout).toContain(`\n  ${name}`);
  });

  test.each(VERBS.map(({ name }) => name))('%s --help has an example that runs', async (name) => {
    const { code, stdout } = await call([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toBe((await call(['help', name])).stdout);
    const examples = [...stdout.matchAll(/^ {2}coppice (.*)$/gm)].map((match) => match[1] ?? '').slice(1);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect((await call(example.split(' '))).code).not.toBe(64);
  });

  test('every verb takes the flags that a wrapper may always pass', async () => {
    for (const { name } of VERBS) {
      const operand =
        {
          explain: ['wip'],
          retire: ['wip'],
          rm: ['wip'],
          lease: ['show'],
          run: ['list'],
          notes: ['list'],
          salvage: ['list'],
          unlock: ['--dead'],
          undo: ['--last'],
        }[name] ?? [];
      expect(await call(['-C', '/x', '--exit-zero', '--json', name, ...operand])).toMatchObject({
        // There is no worktree of that name.
        code: ['retire', 'rm'].includes(name) ? 2 : 0,
        stderr: '',
      });
    }
  });

  test('--version', async () => {
    expect(await call(['--json', '--version'])).toMatchObject({ code: 0, stdout: '1.2.3\n' });
  });

  test('schema', async () => {
    expect((await call(['schema'])).stdout).toContain('coppice.sweep.v1');
    expect(JSON.parse((await call(['schema', 'explain'])).stdout)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'coppice.explain.v1',
    });
  });

  test('demo tells where it is, and sweeps it', async () => {
    const { code, stdout, requests } = await call(['demo'], sweepOf([keptRow('x')]));
    expect(code).toBe(0);
    expect(stdout).toContain('coppice -C /tmp/coppice-demo/app sweep');
    expect(stdout).toContain('Kept: 1 branch');
    expect(requests).toMatchObject([{ directory: '/tmp/coppice-demo/app' }]);
  });
});
