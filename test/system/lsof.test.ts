/** What is made of what lsof prints: of programs that print it as lsof does, of such that go wrong, and of the real one. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLsof, scanLsof } from '../../src/system/processes/lsof.ts';
import { temporaryFolder } from '../support/folders.ts';
import { canOccupy, occupy } from '../support/occupants.ts';

const LSOF = ['/usr/bin/lsof', '/usr/sbin/lsof'].find((path) => existsSync(path)) ?? null;
const DESK = '/repo/desk';

/** What is told of a worktree at `/repo/desk`: how it is used, or why that cannot be told. */
async function told(body: string, foldsCase = false): Promise<readonly string[] | string> {
  const program = join(temporaryFolder(), 'lsof');
  writeFileSync(program, `#!/bin/sh\nown() { printf 'p%s\\nfcwd\\nn/\\n' "$PPID"; }\n${body}\n`, { mode: 0o755 });
  const places = [{ folders: [DESK, '/repo/main/.git/worktrees/desk'] }] as const;
  const scan = await scanLsof(places, { program, self: process.pid, foldsCase });
  if (scan.kind !== 'known') return scan.kind === 'unknown' ? scan.reason : 'absent';
  return (scan.value.occupants[0] ?? []).map(({ how }) => how);
}

describe('lsof output', () => {
  it.each<[string, ReturnType<typeof parseLsof>]>([
    ['', []],
    ['p1\nfcwd\nn/\n', [{ pid: 1, name: '/' }]],
    [
      'p1\nn/\np22\nn/a b\n',
      [
        { pid: 1, name: '/' },
        { pid: 22, name: '/a b' },
      ],
    ],
    ['p1\nfcwd\nn p1\n', [{ pid: 1, name: ' p1' }]],
    ['p1\nfcwd\nn/', null],
    ['p1\nfcwd\n', null],
    ['p1\n', null],
    ['p1\nfcwd\nn\n', null],
    ['p0\nfcwd\nn/\n', null],
    ['p-1\nfcwd\nn/\n', null],
    ['p01\nfcwd\nn/\n', null],
    ['p99999999999\nfcwd\nn/\n', null],
    ['p1\np2\nfcwd\nn/\n', null],
    ['p1\nftxt\nn/\n', null],
    ['p1\nfcwd\nn/\nn/b\n', null],
    ['n/\n', null],
    ['\n', null],
    ['p1\r\nfcwd\r\nn/\r\n', null],
    ['p1\nfcwd\nn/\n\n', null],
    ['lsof: WARNING\np1\nfcwd\nn/\n', null],
  ])('%j', (text, folders) => expect(parseLsof(text)).toEqual(folders));

  it('of any bytes is of the form or is not', () => {
    const line = fc.oneof(fc.constantFrom('p1', 'p0', 'fcwd', 'n/', 'n', '', 'f3'), fc.string());
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.map((one) => `${one}\n`).join('');
        const folders = parseLsof(text);
        const written = folders?.flatMap(({ pid, name }) => [`p${pid}`, `n${name}`]) ?? [];
        if (folders !== null) expect(text.split('\n').filter((one) => one !== '' && one !== 'fcwd')).toEqual(written);
      }),
    );
  });
});

describe('an lsof that goes wrong says nothing', () => {
  const MISDEEDS: Readonly<Record<string, readonly [body: string, why: RegExp]>> = {
    'it prints more than can be': ['own; head -c 5000000 /dev/zero | tr "\\0" x; own', /more than 4194304 bytes/],
    'it never ends printing': ['own; yes p1', /more than 4194304 bytes/],
    'its end is missing': ['own; printf "p1\\nfcwd\\nn/ho"', /form that is known/],
    'the last process has no folder': ['own; printf "p1\\nfcwd\\n"', /form that is known/],
    'it fails at the end': ['own; exit 1', /ended with status 1/],
    'it is ended': ['own; kill -9 $$', /ended with SIGKILL/],
    'it prints garbage': ['own; head -c 3000 /dev/zero | tr "\\0" "\\377"', /form that is known/],
    'it prints another form': ['own; printf "p1\\ncinit\\nfcwd\\nn/\\n"', /form that is known/],
    'it prints nothing': ['', /does not list this process/],
    'it lists others only': ['printf "p1\\nfcwd\\nn/\\n"', /does not list this process/],
    'it prints line ends of another system': ['own; printf "p1\\r\\nfcwd\\r\\nn/\\r\\n"', /form that is known/],
  };

  it.each(Object.entries(MISDEEDS))('%s', async (_title, [body, why]) => expect(await told(body)).toMatch(why));
});

describe('an lsof in order', () => {
  const CASES: Readonly<Record<string, readonly [name: string, how: readonly string[]]>> = {
    'somewhere else': ['/somewhere', []],
    'at the top': [DESK, ['works']],
    'below it': [`${DESK}/wood`, ['works']],
    'in its git directory': ['/repo/main/.git/worktrees/desk/logs', ['works']],
    'beside it, with a longer name': [`${DESK}-2`, []],
    'above it': ['/repo', []],
    'in what is gone below it': [`${DESK}/a (deleted)`, ['works']],
    'in a folder that is called so': [`${DESK} (deleted)`, []],
    'at the top, on a disk of another machine': [`${DESK} (server:/export/x)`, ['perhaps']],
    'at the top, which lsof may not look at': [`${DESK} (stat: Permission denied)`, ['perhaps']],
    'below it, on a disk of another machine': [`${DESK}/wood (server:/export)`, ['works']],
    'beside it, in a folder with a remark in its name': [`${DESK} (copy)`, []],
    'below it, escaped': [`${DESK}/a\\\\xe9`, ['perhaps']],
    'escaped, with a beginning that it has': ['/repo/de^A', ['perhaps']],
    'escaped from the first byte on': ['\\\\xe9', ['perhaps']],
    'escaped elsewhere': ['/elsewhere/\\\\xe9', []],
    'in a folder that may not be read': ['/proc/1/cwd (readlink: Permission denied)', []],
    'in another spelling': ['/Repo/Desk', []],
  };

  it.each(Object.entries(CASES))('a process %s', async (_title, [name, how]) =>
    expect(await told(`own; printf 'p1\\nfcwd\\nn%b\\n' '${name}'`)).toEqual(how),
  );

  it('where spellings lead to the same folder', async () => {
    const found = (name: string) => told(`own; printf 'p1\\nfcwd\\nn%b\\n' '${name}'`, true);
    expect(await found('/Repo/DESK/Wood')).toEqual(['works']);
    expect(await found('/REPO/de^A')).toEqual(['perhaps']);
    expect(await found('/Repo/Desks')).toEqual([]);
  });
});

describe.skipIf(LSOF === null || !canOccupy)('the real lsof', () => {
  it('never hides who works in a folder, whatever that is called', async () => {
    // All names at once: each start of lsof looks at all processes.
    const kinds = [
      fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => Buffer.from(text)),
      fc
        .array(fc.constantFrom('\\', '^', '^A', '\\x41', '\n', ' ', '(deleted)', ' (a:b)', '\x7f', '\t', 'é', 'a'), {
          minLength: 1,
        })
        .map((parts) => Buffer.from(parts.join(''))),
    ];
    const isName = (name: Buffer) =>
      name.length < 200 && !name.includes(0) && !name.includes(0x2f) && !['.', '..'].includes(name.toString('latin1'));
    const names = fc.sample(fc.oneof(...kinds).filter(isName), 60);
    const top = temporaryFolder();
    const folders = names.map((name, at) => {
      const folder = Buffer.concat([Buffer.from(join(top, String(at), '/')), name]);
      mkdirSync(folder, { recursive: true });
      return folder;
    });
    const pids = await Promise.all(folders.map(async (folder) => (await occupy([['cd', folder]])).pid));
    const places = folders.map((folder) => ({ folders: [folder.toString('latin1')] as const }));
    const scan = await scanLsof(places, { program: LSOF as string, self: process.pid, foldsCase: false });
    if (scan.kind !== 'known') throw new Error('lsof says nothing');
    for (const [at, name] of names.entries()) {
      const found = scan.value.occupants[at]?.map(({ pid }) => pid);
      expect(found, JSON.stringify(name.toString('latin1'))).toEqual([pids[at]]);
    }
  });

  it('prints what is read here', () => {
    const text = execFileSync(LSOF as string, ['-a', '-d', 'cwd', '-Fn', '-p', String(process.pid)], {
      env: { LC_ALL: 'C' },
    });
    expect(parseLsof(text.toString('latin1'))).toEqual([{ pid: process.pid, name: process.cwd() }]);
  });
});
