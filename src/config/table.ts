import {
  branchPattern,
  contentRule,
  holderText,
  hostText,
  namespaceText,
  refText,
  relativePath,
  remoteText,
  templateText,
  workflowName,
} from './checks.ts';
import { ADDS, fallback, LARGER, LARGER_OR_OFF, narrows, PROTECTS, SMALLER, stricterOf, TRUE_WINS } from './merges.ts';
import { type Row, tighten, USER_ONLY, whenTrusted } from './row.ts';
import {
  choice,
  choices,
  duration,
  durationOrOff,
  flag,
  list,
  optionalChoice,
  optionalPath,
  optionalText,
  path,
  paths,
  size,
  text,
} from './rows.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** The kinds of leftover a sweep looks at unless told otherwise. */
const KINDS = ['worktree', 'branch', 'remote-branch', 'reservation', 'inbox'] as const;

/** Branches that are never deleted unless the user's own file says `!name`. */
const PROTECTED = [
  'main',
  'master',
  'trunk',
  'develop',
  'development',
  'dev',
  'staging',
  'production',
  'gh-pages',
  'release/*',
] as const;

/**
 * Every setting, in the order of the reference. Its parser, who may set it, how two files' values become one, its
 * documentation and its type all come from its row here.
 *
 * Durations are milliseconds, sizes are bytes, paths are absolute, missing texts are null. Texts are as people write
 * them (Unicode), not byte strings.
 */
export const SETTINGS = {
  base: optionalText({
    check: refText,
    // Neither stricter nor weaker, and it decides what counts as merged: an unread file must not choose it.
    repository: whenTrusted(fallback()),
    doc: "The branch that work is merged into. Not set: the remote's default branch.",
  }),
  remote: optionalText({
    check: remoteText,
    repository: whenTrusted(fallback()),
    doc: 'The remote that is asked. Not set: `origin`, else the only one.',
  }),
  idle: duration({
    default: DAY,
    offIsZero: true,
    repository: tighten(LARGER),
    doc: 'A worktree written to within this time stays. `0s` or `off`: recent writes hold nothing.',
  }),
  unused: durationOrOff({
    default: null,
    repository: tighten(LARGER_OR_OFF),
    doc: 'Leftovers without a commit of their own may go when created, moved and written to longer ago than this.',
  }),
  'protect.paths': paths({
    default: [],
    repository: tighten(ADDS),
    doc: 'Places that are never read, saved or removed, with all that lies below them.',
  }),
  'protect.branches': list({
    default: PROTECTED,
    check: branchPattern,
    extendsDefault: true,
    repository: tighten(PROTECTS),
    doc: "Branches that stay, added to the default list. `*` stands for any characters; `!name` takes protection away, in the user's file only; the last match decides.",
  }),
  'sweep.kinds': choices({
    choices: KINDS,
    default: KINDS,
    repository: tighten(narrows<(typeof KINDS)[number]>()),
    doc: 'The kinds of leftover a sweep looks at.',
  }),
  'sweep.worktrees': choice({
    choices: ['all', 'managed'],
    default: 'all',
    repository: tighten(stricterOf(['all', 'managed'])),
    doc: '`managed`: only worktrees in managed roots are acted on.',
  }),
  'sweep.remoteBranches': choice({
    choices: ['all', 'mine', 'off'],
    default: 'all',
    repository: tighten(stricterOf(['all', 'mine', 'off'])),
    doc: 'Whose branches on the remote a sweep may delete.',
  }),
  'trash.keep': duration({
    default: 14 * DAY,
    // With less, a sweep would delete for good what it moved aside a moment ago.
    least: HOUR,
    repository: tighten(LARGER),
    doc: 'How long retired things wait in the trash; at least `1h`.',
  }),
  'trash.keepRefs': duration({
    default: 90 * DAY,
    least: HOUR,
    repository: tighten(LARGER),
    doc: 'How long the commits of retired things stay anchored; never less than `trash.keep`.',
  }),
  'trash.path': optionalPath({
    repository: USER_ONLY,
    doc: 'A trash folder for worktrees that cannot be moved within their own mount. Not set: none.',
  }),
  'ignored.rebuildable': list({
    default: [],
    check: contentRule,
    repository: whenTrusted(ADDS),
    doc: 'More ignored files and folders that a build makes again: a name, or a path from the top of the worktree; `*` stands for any characters of one name.',
  }),
  'ignored.precious': choice({
    choices: ['archive', 'hold'],
    default: 'archive',
    repository: whenTrusted(stricterOf(['archive', 'hold'])),
    doc: 'Ignored files that nothing makes again: copied to the notes when their worktree goes, or a reason to keep it.',
  }),
  'ignored.archiveUpTo': size({
    default: 16 * 1024 ** 2,
    repository: whenTrusted(SMALLER),
    doc: 'With more than this, precious ignored files keep their worktree.',
  }),
  'roots.template': text({
    default: '{home}/worktrees/{root}/{name}',
    check: templateText,
    repository: USER_ONLY,
    doc: "Where new worktrees go. `{home}`: coppice's own folder, `{repository}`: the main checkout, `{root}`: 12 digits of the first commit, `{name}`: the worktree.",
  }),
  'roots.also': paths({
    default: [],
    repository: USER_ONLY,
    doc: 'More folders whose worktrees count as managed.',
  }),
  forge: choice({
    choices: ['auto', 'none'],
    default: 'auto',
    inTable: 'forge.use',
    repository: USER_ONLY,
    doc: '`none`: no forge is asked, and none that cannot be asked holds anything.',
  }),
  'forge.hosts': list({
    default: [],
    check: hostText,
    repository: USER_ONLY,
    doc: 'More hosts whose remotes are a forge.',
  }),
  'reservations.enabled': flag({
    default: false,
    repository: tighten(TRUE_WINS),
    doc: '`true`: reservations are in use here. They are too, without it, where this clone has seen one.',
  }),
  'reservations.namespace': text({
    default: 'coppice-reserved',
    check: namespaceText,
    repository: whenTrusted(fallback()),
    doc: 'The first part of the names of reservation branches.',
  }),
  'reservations.remote': optionalText({
    check: remoteText,
    repository: whenTrusted(fallback()),
    doc: 'The remote that holds reservations. Not set: the one of `remote`.',
  }),
  'reservations.workflow': text({
    default: 'coppice-reservations.yml',
    check: workflowName,
    repository: whenTrusted(fallback()),
    doc: 'The workflow that deletes spent reservations.',
  }),
  'inbox.target': optionalChoice({
    choices: ['records', 'issues'],
    repository: USER_ONLY,
    doc: 'Where waiting reports are filed: as files below `inbox.records`, or as issues of the forge. Not set: they stay.',
  }),
  'inbox.records': text({
    default: 'docs/inbox',
    check: relativePath,
    repository: USER_ONLY,
    doc: 'The folder of filed reports, from the top of the repository they are for.',
  }),
  'lock.wait': duration({
    default: 30 * SECOND,
    repository: USER_ONLY,
    doc: "How long to wait for another run's lock on the repository.",
  }),
  probe: choice({
    choices: ['auto', 'proc', 'lsof'],
    default: 'auto',
    inTable: 'probe.use',
    repository: USER_ONLY,
    doc: 'How processes are looked for: by `/proc`, by lsof, or as the platform allows.',
  }),
  'probe.lsof': path({
    default: '/usr/sbin/lsof',
    repository: USER_ONLY,
    doc: 'The lsof program; it is never looked up in PATH.',
  }),
  'identity.holder': optionalText({
    check: holderText,
    repository: USER_ONLY,
    doc: 'Who reserves: a word that is the same on all your machines, such as a login.',
  }),
} as const satisfies Readonly<Record<string, Row<unknown>>>;

/** The dotted name of a setting. */
export type SettingKey = keyof typeof SETTINGS;

type ValueOf<R> = R extends Row<infer T> ? T : never;

/** The resolved value of every setting. */
export type Settings = { readonly [K in SettingKey]: ValueOf<(typeof SETTINGS)[K]> };

/** All names, in the order of the table. */
export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

/** A row by a name known only at run time. */
export function rowOf(key: SettingKey): Row<unknown> {
  return SETTINGS[key];
}
