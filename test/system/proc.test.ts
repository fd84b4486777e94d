/** A list of processes as it may be found at an unlucky moment: one made of files, in which any part may be missing. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanProc } from '../../src/system/processes/proc.ts';
import { temporaryFolder } from '../support/folders.ts';

const SELF = 100;
const OWN = 'mnt:[1]';
const OTHER = 'mnt:[2]';
const DESK = '/repo/desk';
const MOUNTS = [{ device: '8:1', root: '/', point: '/' }];

interface Told {
  readonly parent?: number;
  readonly stat?: string;
  readonly cwd?: string | null;
  readonly root?: string;
  readonly namespace?: string;
  /** Null: it cannot be read any more. */
  readonly mounts?: string | null;
  readonly fd?: readonly string[] | null;
  readonly maps?: string;
  /** Working folder and open files of a second thread. */
  readonly thread?: { readonly cwd: string; readonly fd: readonly string[] };
}

const OWN_TABLE = '1 0 8:1 / / rw - ext4 x rw\n';
/** In which the worktree is seen at another place. */
const OTHER_TABLE = '1 0 0:9 / / rw - overlay x rw\n2 1 8:1 /repo/desk /src rw - ext4 x rw\n';

class Proc {
  readonly folder = temporaryFolder();

  constructor() {
    this.add(1);
    this.add(SELF);
    symlinkSync(String(SELF), join(this.folder, 'self'));
    writeFileSync(join(this.folder, 'uptime'), '1000.00 1.00\n');
  }

  add(pid: number, told: Told = {}): void {
    const { parent = 1, cwd = '/', root = '/', namespace = OWN, fd = [], maps = '' } = told;
    const { mounts = namespace === OWN ? OWN_TABLE : OTHER_TABLE } = told;
    const at = join(this.folder, String(pid));
    mkdirSync(join(at, 'ns'), { recursive: true });
    const rest = `S ${parent} 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 ${told.thread === undefined ? 1 : 2} 0 4711 0 0`;
    writeFileSync(join(at, 'stat'), told.stat ?? `${pid} (x) ${rest}\n`);
    writeFileSync(join(at, 'maps'), maps);
    if (mounts !== null) writeFileSync(join(at, 'mountinfo'), mounts);
    symlinkSync(namespace, join(at, 'ns', 'mnt'));
    symlinkSync(root, join(at, 'root'));
    if (cwd !== null) symlinkSync(cwd, join(at, 'cwd'));
    if (told.thread !== undefined) {
      const { cwd: own, fd: files } = told.thread;
      this.add(Number(`${pid}9`), { ...told, thread: undefined as never, cwd: own, fd: files });
      mkdirSync(join(at, 'task'));
      renameSync(join(this.folder, `${pid}9`), join(at, 'task', `${pid}9`));
    }
    if (fd === null) return;
    mkdirSync(join(at, 'fd'));
    for (const [number, path] of fd.entries()) symlinkSync(path, join(at, 'fd', String(number)));
  }

  /** How each of the two worktrees is used; or why that cannot be told. */
  look(now: () => number = () => 0): readonly (readonly string[])[] | string {
    const places = [{ folders: [DESK] }, { folders: ['/repo/other'] }] as const;
    const scan = scanProc(places, {
      self: SELF,
      uptime: 960,
      account: 0,
      mounts: MOUNTS,
      time: 1000,
      now,
      proc: this.folder,
    });
    if (scan.kind !== 'known') return scan.kind === 'unknown' ? scan.reason : 'absent';
    return scan.value.occupants.map((some) => some.map(({ pid, how }) => `${pid} ${how}`));
  }
}

function lookAt(...processes: readonly Told[]): readonly (readonly string[])[] | string {
  const proc = new Proc();
  for (const [at, told] of processes.entries()) proc.add(201 + at, told);
  return proc.look();
}

describe('processes of the same namespace', () => {
  it.each<[string, Told, readonly string[]]>([
    ['that work elsewhere', { cwd: '/somewhere' }, []],
    ['that work at the top', { cwd: DESK }, ['201 works']],
    ['that work below', { cwd: `${DESK}/wood` }, ['201 works']],
    ['that have a file open', { fd: ['/dev/null', `${DESK}/a`, 'socket:[1]'] }, ['201 open']],
    ['that have a file open which is gone', { fd: [`${DESK}/a (deleted)`] }, ['201 open']],
    ['that have a file in their memory', { maps: `7f-80 r--p 0 08:01 1   ${DESK}/a b\n` }, ['201 mapped']],
    ['that have the last file in their memory', { maps: `1\n7f-80 r--p 0 08:01 1   ${DESK}/a` }, ['201 mapped']],
    ['that have a file beside it in their memory', { maps: `7f-80 r--p 0 08:01 1   ${DESK}-2/a\n` }, []],
    ['whose root is there', { root: `${DESK}/wood` }, ['201 root']],
    ['that coppice started', { cwd: DESK, parent: SELF }, []],
    ['with a thread that works there', { thread: { cwd: `${DESK}/wood`, fd: [] } }, ['201 works']],
    ['with a thread that has a file open there', { thread: { cwd: '/', fd: [`${DESK}/a`] } }, ['201 open']],
    ['with a thread elsewhere', { thread: { cwd: '/tmp', fd: ['/dev/null'] } }, []],
    [
      'that ran before coppice was what it is now',
      { cwd: DESK, stat: `201 (x) S ${SELF} 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 900 0 0\n` },
      ['201 works'],
    ],
    ['that have ended', { cwd: DESK, stat: '201 (x) Z 1 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0\n' }, []],
    [
      'that are of the kernel',
      { cwd: DESK, stat: '201 (x) S 2 0 0 0 -1 2097152 0 0 0 0 0 0 0 0 20 0 1 0 4 0 0\n' },
      [],
    ],
    ['that ended while they were looked at', { cwd: null }, []],
    ['that ended a little later', { cwd: '/x', fd: null }, []],
  ])('%s', (_title, told, uses) => expect(lookAt(told)).toEqual([uses, []]));
});

describe('processes of another namespace', () => {
  const inside = { namespace: OTHER, cwd: '/src/wood' };
  const gone = { namespace: OTHER, mounts: null };
  it.each<[string, readonly Told[], readonly string[], (readonly string[])?]>([
    ['are found where they see it', [inside], ['201 works']],
    ['are not where we see it', [{ namespace: OTHER, cwd: DESK }], []],
    [
      'with a root of their own, beside one without',
      [{ namespace: OTHER }, { ...inside, root: '/src' }],
      ['202 works', '202 root'],
    ],
    ['are found when the first of them has just ended', [gone, inside], ['202 works']],
    ['are found when the first two have just ended', [gone, gone, inside], ['203 works']],
    ['that have all just ended say nothing', [{ ...inside, mounts: null }], ['201 perhaps'], ['201 perhaps']],
    ['with roots of their own alone', [{ ...inside, cwd: '/x/src/wood', root: '/x' }], ['201 works']],
    ['with roots of their own alone, that work elsewhere', [{ ...inside, root: '/x' }], []],
    ['with a table that is none may be anywhere', [{ ...inside, mounts: 'x\n' }], ['201 perhaps'], ['201 perhaps']],
    ['with an empty table may be anywhere', [{ ...inside, mounts: '' }], ['201 perhaps'], ['201 perhaps']],
  ])('%s', (_title, processes, uses, others = []) => expect(lookAt(...processes)).toEqual([uses, others]));
});

describe('a list of processes', () => {
  it('has us in it', () => {
    const proc = new Proc();
    expect(proc.look()).toEqual([[], []]);
    rmSync(join(proc.folder, String(SELF)), { recursive: true });
    expect(proc.look()).toMatch(/^this process is not in \/proc$|ENOENT/);
  });

  it('takes us for the one that we are', () => {
    const proc = new Proc();
    rmSync(join(proc.folder, 'self'));
    symlinkSync('1', join(proc.folder, 'self'));
    expect(proc.look()).toBe('this process is not in /proc');
    rmSync(join(proc.folder, 'self'));
    expect(proc.look()).toMatch(/^\/proc cannot be read \(ENOENT\)$/);
  });

  it('has the first process in it', () => {
    const proc = new Proc();
    rmSync(join(proc.folder, '1'), { recursive: true });
    expect(proc.look()).toBe('/proc hides processes of other accounts');
  });

  it.each(['', 'garbage', '202 (x) S 1 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0\n'])(
    'tells of each in the form that is known: %j',
    (stat) => expect(lookAt({ stat })).toBe('process 201 is told in a form that is not known'),
  );

  it('is read in time', () => {
    const proc = new Proc();
    let time = 0;
    expect(proc.look(() => (time += 1000))).toBe('looking at the processes took longer than 1 s');
  });

  it('is there', () => {
    const proc = new Proc();
    rmSync(proc.folder, { recursive: true });
    expect(proc.look()).toMatch(/ENOENT/);
  });

  it('may have one that can be looked at only in part: it may be anywhere', () => {
    const proc = new Proc();
    proc.add(201, { cwd: null });
    // A link that is none.
    writeFileSync(join(proc.folder, '201', 'cwd'), '');
    expect(proc.look()).toEqual([['201 perhaps'], ['201 perhaps']]);
  });
});
