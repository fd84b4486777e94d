/** What has to be seen to before a worktree may go, and the command that settles it. */
import type { Evidence, HoldCode } from './evidence.ts';
import { gitIn, quoted } from './holds/worktree/hold.ts';
import type { Row } from './row.ts';

/** Texts are byte strings. */
export interface Remedy {
  readonly code: Evidence['code'];
  readonly text: string;
  /** Null: no command of coppice or git settles it by itself. */
  readonly how: string | null;
}

type How = (path: string, text: string) => string | null;

const COMMIT: How = (path) => gitIn(path, 'stash push --include-untracked');
const KEEP_BRANCH: How = (path) => of(path, 'retire', '--keep-branch');

/** Of what cannot be read no size is told, and no copy can be made. */
const ARCHIVE: How = (path, text) => {
  const bytes = / \((\d+) bytes\)$/.exec(text)?.[1];
  return bytes === undefined ? null : of(path, 'retire', `--archive-up-to ${Math.ceil(Number(bytes) / 2 ** 20) + 1}M`);
};

const REMEDIES: Readonly<Partial<Record<HoldCode, How>>> = {
  staged: COMMIT,
  modified: COMMIT,
  untracked: COMMIT,
  conflicted: (path) => gitIn(path, 'status'),
  'operation-in-progress': (path) => gitIn(path, 'status'),
  'detached-commits': (path) => gitIn(path, 'switch --create NAME'),
  unmerged: KEEP_BRANCH,
  'no-own-commits': KEEP_BRANCH,
  'net-zero': KEEP_BRANCH,
  'reverted-later': KEEP_BRANCH,
  'merged-locally': KEEP_BRANCH,
  'base-unknown': KEEP_BRANCH,
  shallow: KEEP_BRANCH,
  'remote-unverified': KEEP_BRANCH,
  locked: (path) => after('git worktree unlock', path),
  leased: (path) => (quoted(path) === null ? null : `coppice lease release --worktree ${quoted(path)}`),
  'ignored-precious': ARCHIVE,
  'recent-write': (path) => of(path, 'retire', '--idle 0s'),
};

/** One for each hold of these rows. */
export function remediesOf(rows: readonly Row[]): readonly Remedy[] {
  return rows.flatMap(({ path, evidence }) =>
    evidence
      .filter(({ effect }) => effect === 'holds')
      .map(({ code, text }) => ({
        code,
        text,
        how: path === null ? null : (REMEDIES[code as HoldCode]?.(path, text) ?? null),
      })),
  );
}

function of(path: string, verb: string, flags: string): string | null {
  const folder = quoted(path);
  return folder === null ? null : `coppice ${verb} ${folder} ${flags}`;
}

function after(command: string, path: string): string | null {
  const folder = quoted(path);
  return folder === null ? null : `${command} ${folder}`;
}
