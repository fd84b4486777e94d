import type { Ref } from '../git/parse/refs.ts';
import type { Remote } from '../judge/base/remote.ts';
import { branchName } from '../judge/facts/names.ts';
import type { RemoteView } from './remote.ts';

/** Reservations of others that this clone has seen, or that the remote has just named. */
export function hasReservations(
  { remotes, view }: { readonly remotes: readonly Remote[]; readonly view: RemoteView },
  refs: readonly Ref[],
  namespace: string,
): boolean {
  const mirrored = /^refs\/(?:coppice\/)?remotes\/(.*)$/;
  const isReserved = (name: string) => name.startsWith(`${namespace}/`);
  // A remote's name may hold slashes; one that is no remote any more is taken for one without.
  const isSeen = (name: string) =>
    isReserved(name.slice(name.indexOf('/') + 1)) ||
    remotes.some((remote) => name.startsWith(`${remote.name}/`) && isReserved(name.slice(remote.name.length + 1)));
  return (
    refs.some(({ name }) => isSeen(mirrored.exec(name)?.[1] ?? '')) ||
    [...(view.heads?.heads.keys() ?? [])].some((branch) => isReserved(branchName(branch)))
  );
}
