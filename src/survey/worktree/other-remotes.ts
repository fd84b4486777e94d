import { type GitConfig, lastValue } from '../../git/parse/config.ts';
import { isWithin } from '../../system/paths.ts';
import { remotesOf } from '../remote.ts';

/** Names of the remotes that are another repository: what is kept in itself is nowhere else. */
export function otherRemotes(config: GitConfig, own: readonly string[]): string[] {
  return remotesOf(config)
    .filter(({ name }) => {
      const url = (lastValue(config, `remote.${name}.url`) ?? '').replace(/^file:\/\//, '');
      return !/^\.{1,2}(?:\/|$)/.test(url) && !own.some((folder) => isWithin(url, folder));
    })
    .map(({ name }) => name);
}
