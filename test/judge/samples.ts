/** Facts that speak for removal and hold nothing, for tests to change one at a time. */
import type { Lane, LeaseRecord, RunRecord } from '../../src/judge/facts/claims.ts';
import type { MergeFacts } from '../../src/judge/facts/branch.ts';
import { absent, known } from '../../src/judge/facts/fact.ts';
import type { AbsPath, Oid, RefName } from '../../src/judge/facts/names.ts';
import type { Survey } from '../../src/judge/facts/survey.ts';
import type { AdminFacts, Measure, WorktreeContents, WorktreeFacts } from '../../src/judge/facts/worktree.ts';

export const TIP = '1'.repeat(40) as Oid;
export const BASE = '2'.repeat(40) as Oid;
export const OTHER = '3'.repeat(40) as Oid;
/** Milliseconds since 1970. */
export const NOW = 1_750_100_000_000;
export const TOPIC = 'refs/heads/topic' as RefName;

export const merged: MergeFacts = {
  relation: 'forked',
  worked: true,
  proof: { code: 'squash-merged', commits: [BASE] },
  veto: null,
  missing: [],
  missingCount: 0,
  blind: false,
  local: false,
  ahead: null,
  behind: null,
  unpushed: [],
  dropped: [],
  replaced: [],
  lastCommit: 1_750_000_000,
};

/** A repository without anything in it. */
export const emptySurvey: Survey = {
  repository: { path: '/app' as AbsPath, rootCommit: null },
  base: known({ ref: 'refs/remotes/origin/main' as RefName, oid: BASE, how: 'remote-head' }),
  baseMoved: false,
  remote: 'origin',
  fetch: { status: 'skipped', at: null, detail: null },
  shallow: false,
  defaults: new Set(),
  reserved: 'coppice-reserved',
  worktrees: known([]),
  leases: absent,
  runs: absent,
  branches: known([]),
  strays: [],
  protectedPlaces: [],
  now: NOW,
  idle: 24 * 3_600_000,
  unused: null,
  hasUnreadReservations: false,
  named: null,
  caches: null,
  aside: { trash: known([]), keep: 0, unfinished: absent, mirrors: [] },
  precious: {
    holds: false,
    upTo: 16 * 1024 ** 2,
    most: 1000,
    place: known({ home: '/home/me/.coppice', folder: '/home/me/.coppice/notes/0123456789ab' }),
  },
  faults: [],
};

export const KEY = 'a'.repeat(32);
const HOUR = 3_600_000;
export const lease: LeaseRecord = {
  worktree: '/desk' as AbsPath,
  branch: TOPIC,
  head: null,
  task: 'T-1',
  pullRequest: null,
  gate: null,
  owner: 'ash',
  purpose: null,
  tokenHash: '0'.repeat(64),
  epoch: 1,
  acquired: NOW - HOUR,
  heartbeat: NOW - HOUR,
  expires: NOW + HOUR,
  released: null,
  pid: null,
  start: null,
  host: null,
  bootId: null,
};
const lane: Lane = { task: 'T-1', worktree: '/desk' as AbsPath, key: KEY, branch: TOPIC };
export const run: RunRecord = {
  id: '20260101T000000Z-00000000',
  title: 'release',
  lanes: [lane],
  started: NOW - HOUR,
  updated: NOW - HOUR,
  finished: null,
  lease: 24 * HOUR,
};

export const none = { count: 0, names: [] };
export const some = { count: 2, names: ['a', 'b'] };
const noFiles = { ...none, files: 0, bytes: 0 };

export const contents: WorktreeContents = {
  staged: none,
  unstaged: none,
  conflicted: none,
  untracked: none,
  hidden: none,
  rebuildable: noFiles,
  duplicate: noFiles,
  changes: { index: [], paths: [], without: [] },
  precious: { ...noFiles, paths: [] },
  nested: [],
  submodules: [],
  mounts: [],
};

export const admin: AdminFacts = {
  operations: [],
  indexLock: null,
  privateRefs: [],
  stashes: 0,
  lock: null,
  lastMove: 1_750_000_000,
};

export const weight: Measure = { bytes: 1, isWhole: true, lastWrite: { time: 1_750_000_000_000, path: 'a' } };

export const desk: WorktreeFacts = {
  admin: 'desk',
  gitDir: '/app/.git/worktrees/desk' as AbsPath,
  path: '/desk' as AbsPath,
  realPath: '/desk',
  key: KEY,
  lease: absent,
  branch: 'refs/heads/topic' as RefName,
  head: TIP,
  upstream: null,
  isCurrent: false,
  isBranchProtected: false,
  protectedBy: null,
  identity: { kind: 'proven', folder: { device: '1', inode: '2' }, gitDir: { device: '1', inode: '3' } },
  trash: known({ folder: '/app/.git/coppice/trash', from: '/app/.git/coppice' }),
  contents: known(contents),
  adminState: known(admin),
  measure: known(weight),
  presence: known({ occupants: [], unreadable: 0 }),
  inside: [],
  sharedWith: [],
  merge: known(merged),
  reflog: known({ dropped: [], replaced: [] }),
  caches: absent,
  salvage: absent,
  headIsHeld: true,
};
