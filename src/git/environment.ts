/** The environment in which every git process runs: nothing of the caller's settings may change an answer. */

/** Settings that would change what git prints, compares, starts or writes, each at the value that does not. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.quotePath', 'false'],
  // With it, a file whose name differs from a tracked one only in case is not seen.
  ['core.ignoreCase', 'false'],
  ['core.fileMode', 'true'],
  ['core.checkStat', 'default'],
  ['core.trustctime', 'true'],
  ['core.useReplaceRefs', 'false'],
  ['core.warnAmbiguousRefs', 'false'],
  ['color.ui', 'false'],
  ['column.ui', 'never'],
  ['diff.external', ''],
  ['diff.renames', 'false'],
  ['diff.ignoreSubmodules', 'none'],
  ['diff.autoRefreshIndex', 'false'],
  ['diff.orderFile', '/dev/null'],
  ['diff.relative', 'false'],
  ['log.showSignature', 'false'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.prune', 'false'],
  ['fetch.pruneTags', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  // Bounds on git's own memory: without them it maps whole packs.
  ['core.packedGitWindowSize', '1m'],
  ['core.packedGitLimit', '32m'],
  ['core.deltaBaseCacheLimit', '24m'],
  ['sparse.expectFilesOutsideOfPatterns', 'false'],
  ['advice.graftFileDeprecated', 'false'],
];

/** What holds instead while git writes: the user's hooks may forbid it, and nothing is half on the disk. */
const WRITE_SETTINGS: readonly (readonly [string, string])[] = [
  ...SETTINGS.filter(([key]) => key !== 'core.hooksPath'),
  ['core.fsync', 'all'],
  // A branch comes back with its own reflog, and anchors need none.
  ['core.logAllRefUpdates', 'false'],
];

/** Variables of the caller that say how a remote is reached, not what is read from it. */
const TRANSPORT: readonly string[] = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT', 'GIT_ASKPASS', 'GIT_SSL_CAINFO'];

export type Environment = Readonly<Record<string, string>>;

/**
 * @param caller the caller's environment; every `GIT_*` variable in it is dropped.
 * @param purpose `network` for the two commands that talk to a remote. A look may reach none, so that a partial clone
 *   fetches nothing on the way.
 */
export function gitEnvironment(
  caller: Readonly<Record<string, string | undefined>>,
  purpose: 'look' | 'network' | 'write',
): Environment {
  const network = purpose === 'network';
  const settings = purpose === 'write' ? WRITE_SETTINGS : SETTINGS;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(caller)) {
    if (value === undefined) continue;
    if (!name.startsWith('GIT_') || (network && TRANSPORT.includes(name))) env[name] = value;
  }
  Object.assign(env, {
    LC_ALL: 'C',
    LANGUAGE: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TRACE2: '0',
    GIT_TRACE2_EVENT: '0',
    GIT_TRACE2_PERF: '0',
    GIT_CONFIG_COUNT: String(settings.length),
  });
  // What writes runs the user's hooks, and those may reach whatever they like.
  if (purpose === 'look') env.GIT_ALLOW_PROTOCOL = 'none';
  for (const [index, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}
