/** The remote that counts, and what it says of itself in this run. */
import { lastValue, type GitConfig } from '../git/parse/config.ts';
import type { RemoteHeads } from '../git/parse/ls-remote.ts';
import { askRemote, fetchFrom } from '../git/read/remote.ts';
import type { Git } from '../git/run.ts';
import { chooseRemote, type Remote, safeRefspecs } from '../judge/base/remote.ts';
import type { FetchReport } from '../judge/facts/repository.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { toByteString, toNative } from '../system/bytes.ts';

/** Remotes that have an address, in the order in which they are configured. */
export function remotesOf(config: GitConfig): Remote[] {
  const remotes: Remote[] = [];
  for (const key of config.keys()) {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    if (name !== undefined && lastValue(config, key) !== '')
      remotes.push({ name, fetch: config.get(`remote.${name}.fetch`) ?? [] });
  }
  return remotes;
}

/** @throws UserError `no-such-remote` when the one that a person named is not there. */
export function remoteThatCounts(
  remotes: readonly Remote[],
  asked: string | null,
  configured: string | null,
): Remote | null {
  const remote = chooseRemote(
    remotes,
    asked === null ? null : toByteString(asked),
    configured === null ? null : toByteString(configured),
  );
  const named = asked ?? configured;
  if (remote !== null || named === null) return remote;
  const known = remotes.map((one) => one.name).join(', ');
  throw new UserError('no-such-remote', `there is no remote ${toByteString(named)}`, {
    hint: known === '' ? 'this repository has no remotes' : `its remotes: ${known}`,
  });
}

/** What the remote says now; `heads` null when it was not read. */
export interface RemoteView {
  readonly report: FetchReport;
  readonly heads: RemoteHeads | null;
}

/** Asks the remote for its heads and brings what is not here. A failure is said, not thrown. */
export async function readRemote(
  git: Git,
  remote: Remote | null,
  fetch: boolean,
  now: () => number,
): Promise<RemoteView> {
  if (remote === null) return { report: { status: 'no-remote', at: null, detail: null }, heads: null };
  if (!fetch) return { report: { status: 'skipped', at: null, detail: null }, heads: null };
  const failed = (detail: string): RemoteView => ({ report: { status: 'failed', at: null, detail }, heads: null });
  const name = toNative(remote.name);
  if (toByteString(name) !== remote.name) return failed("the remote's name is no UTF-8");
  const heads = await askRemote(git, name);
  if (heads.kind !== 'known') return failed(heads.kind === 'unknown' ? heads.reason : 'the remote did not answer');
  const failure = await fetchFrom(git, name, safeRefspecs(remote, heads.value.heads.keys()));
  if (failure !== null) return failed(failure);
  return { report: { status: 'fresh', at: now(), detail: null }, heads: heads.value };
}
