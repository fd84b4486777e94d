import type { NotesPort } from '../../src/act/notes/port.ts';
import type { Context, Output, SweepRequest } from '../../src/context.ts';
import { holds, noted, spent } from '../../src/judge/evidence.ts';
import {
  parseAbsPath,
  parseOid,
  parseRefName,
  type AbsPath,
  type Oid,
  type RefName,
} from '../../src/judge/facts/names.ts';
import { UserError } from '../../src/judge/facts/user-error.ts';
import type { Row } from '../../src/judge/row.ts';
import type { Sweep } from '../../src/judge/sweep.ts';
import type { LeasePort, RunPort } from '../../src/state/ports.ts';
import { encodeText } from '../../src/render/decode.ts';

/** Hand-made sweeps: what the shell of coppice prints, without a repository. */

export const HOME = '/home/ada';

export function oid(digit: string): Oid {
  return parseOid(digit.repeat(40)) ?? fail(digit);
}

export function ref(name: string): RefName {
  return parseRefName(name) ?? fail(name);
}

export function path(name: string): AbsPath {
  return parseAbsPath(name) ?? fail(name);
}

function fail(text: string): never {
  throw new Error(`no such name: ${text}`);
}

/** Names as hostile as git and file systems let them be, as byte strings. */
export const HOSTILE = {
  escape: 'x\x1b]0;owned\x07\x1b[31mred\x1b[0m',
  newline: 'one\ntwo\r\nthree\tfour',
  bidi: encodeText('safe\u202egnp.exe\u202c'),
  zeroWidth: encodeText('ma\u200bin\ufeff\u00ad'),
  c1: encodeText('csi\u009b31m'),
  tag: encodeText('flag\u{e0041}'),
  invalid: 'bad-\xff\xc3(',
  overlong: 'dot-\xc0\xae-\xed\xa0\x80',
  wide: encodeText('機能/ログイン-👩‍💻'),
  long: `${'a'.repeat(250)}/end`,
} as const;

export function branchRow(name: string, change: Partial<Extract<Row, { kind: 'branch' }>> = {}): Row {
  const evidence = [spent('squash-merged', 'squashed into origin/main as 1a2b3c4', `git show ${oid('a')}`)];
  return {
    id: `branch:refs/heads/${name}`,
    kind: 'branch',
    name,
    path: null,
    action: 'delete',
    reason: { code: 'squash-merged', text: 'squashed into origin/main as 1a2b3c4' },
    evidence,
    state: { head: oid('a'), upstream: null, ahead: null, behind: null, worktree: null, lastCommit: 1_796_040_000 },
    ...change,
  };
}

export function keptRow(name: string, code: 'unmerged' | 'checked-out' = 'unmerged'): Row {
  const text =
    code === 'unmerged' ? '2 of 3 commits were not found on origin/main' : 'used by /home/ada/app.worktrees/x';
  return branchRow(name, {
    action: 'keep',
    reason: { code, text },
    evidence: [holds(code, text, { grade: 'hint' }), noted('anchored', 'one commit that an amend replaced')],
  });
}

export function worktreeRow(admin: string, at: string): Row {
  const text = 'process 7 (vim) works in it';
  return {
    id: `worktree:${admin}`,
    kind: 'worktree',
    name: 'feature/x',
    path: path(at),
    action: 'keep',
    reason: { code: 'process-inside', text },
    evidence: [holds('process-inside', text, { source: 'processes' })],
    state: {
      branch: ref('refs/heads/feature/x'),
      head: oid('b'),
      detached: false,
      upstream: null,
      ahead: null,
      behind: null,
      changes: {
        staged: 0,
        unstaged: 0,
        untracked: 0,
        conflicted: 0,
        ignored: { rebuildable: 1, duplicate: 0, precious: 2 },
      },
      operation: null,
      lock: null,
      lease: null,
      lastCommit: 1_750_000_000,
      lastWrite: null,
      bytes: { value: null, atLeast: false },
    },
  };
}

export function sweepOf(rows: readonly Row[], change: Partial<Sweep> = {}): Sweep {
  return {
    repository: { path: path(`${HOME}/src/app`), rootCommit: oid('0') },
    base: { ref: ref('refs/remotes/origin/main'), oid: oid('c'), how: 'remote-head' },
    fetch: { status: 'fresh', at: Date.UTC(2026, 10, 30, 12), detail: null },
    doubts: [],
    rows,
    ailments: [],
    purge: { due: 0, bytes: 0 },
    blind: false,
    ...change,
  };
}

export function hostileSweep(): Sweep {
  const rows = Object.values(HOSTILE).flatMap((name) => [
    branchRow(name),
    keptRow(`kept/${name}`),
    worktreeRow(name, `${HOME}/wt/${name}`),
  ]);
  return sweepOf(rows, { doubts: [{ code: 'probe-failed', text: `could not read ${HOME}/wt/${HOSTILE.escape}` }] });
}

const refuse = () => Promise.reject(new UserError('no-state', 'there is no state here'));

/** Of a repository in which nothing was ever leased, and which takes nothing. */
const NO_NOTES: NotesPort = {
  list: async () => ({ notes: [], elsewhere: 0 }),
  show: () => {
    throw new Error('there are no notes here');
  },
  restore: () => {
    throw new Error('there are no notes here');
  },
  remove: async () => {
    throw new Error('there are no notes here');
  },
};

const NO_LEASES: LeasePort = {
  acquire: refuse,
  keep: refuse,
  release: async () => ({ path: path(`${HOME}/src/app`), kept: null }),
  show: async () => ({ path: path(`${HOME}/src/app`), found: null, standing: 'none' }),
  runUnder: refuse,
};

const NO_RUNS: RunPort = {
  start: refuse,
  keep: refuse,
  finish: refuse,
  list: async () => ({ runs: [], unreadable: [] }),
};

export interface Recorded {
  readonly context: Context;
  readonly requests: SweepRequest[];
  stdout(): string;
  stderr(): string;
}

/** A context that answers `sweep` with what it is given, and records the rest. */
export function recordingContext(sweep: Sweep | (() => Promise<Sweep>), change: Partial<Context> = {}): Recorded {
  const out: string[] = [];
  const err: string[] = [];
  const requests: SweepRequest[] = [];
  const context: Context = {
    stdout: outputTo(out),
    stderr: outputTo(err),
    env: {},
    cwd: `${HOME}/src/app`,
    home: HOME,
    version: '1.2.3',
    now: () => 0,
    async sweep(request) {
      requests.push(request);
      return typeof sweep === 'function' ? sweep() : sweep;
    },
    apply: async () => {
      throw new Error('nothing acts here');
    },
    undo: async () => [],
    history: async () => ({ items: [], unreadable: 0 }),
    purge: async () => [],
    notes: async () => NO_NOTES,
    leases: async () => NO_LEASES,
    runs: async () => NO_RUNS,
    unlockDead: async () => [],
    makeDemo: async () => '/tmp/coppice-demo',
    ...change,
  };
  return { context, requests, stdout: () => out.join(''), stderr: () => err.join('') };
}

export function outputTo(parts: string[], terminal: { columns: number } | null = null): Output {
  return {
    isTTY: terminal !== null,
    columns: terminal?.columns ?? 80,
    rows: 24,
    write: (text) => void parts.push(text),
  };
}
