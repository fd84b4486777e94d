/** The folders that coppice makes worktrees in, as the settings name them. */
import type { Homes } from '../../config/homes.ts';
import { coppiceHome } from '../../config/homes.ts';
import type { Settings } from '../../config/table.ts';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Oid } from '../../judge/facts/names.ts';
import { toByteString } from '../../system/bytes.ts';
import { provePrivateDir } from '../../system/files.ts';

export interface ManagedRoot {
  /** Absolute, as a byte string. */
  readonly folder: string;
  /** What a worktree's name begins and ends with there. */
  readonly before: string;
  readonly after: string;
}

export interface RootsRequest {
  readonly settings: Settings;
  readonly homes: Homes & { readonly account: number | null };
  /** The main checkout, as a byte string; null: there is none. */
  readonly repository: string | null;
  readonly rootCommit: Oid | null;
}

/** Digits of the first commit that stand for a repository in names of folders. */
export const ROOT_DIGITS = 12;

/** Each of them: absent where it is not there or cannot be named, unknown where it is not to be trusted. */
export function managedRoots({ settings, homes, repository, rootCommit }: RootsRequest): Fact<ManagedRoot>[] {
  const also = settings['roots.also'].map((folder) => known({ folder: toByteString(folder), before: '', after: '' }));
  const parts = settings['roots.template'].split('/');
  const [before = '', after = ''] = (parts.pop() ?? '').split('{name}').map((text) => toByteString(text));
  const [first = '', ...below] = parts;
  if (rootCommit === null && parts.some((part) => part.includes('{root}'))) return also;
  const levels = below.map((part) => part.replaceAll('{root}', rootCommit?.slice(0, ROOT_DIGITS) ?? ''));
  if (first === '{home}') return [privateRoot(homes, levels, { before, after }), ...also];
  const top = topOf(first, homes.home, repository);
  return top === null
    ? also
    : [known({ folder: [top, ...levels.map(toByteString)].join('/'), before, after }), ...also];
}

function privateRoot(
  homes: RootsRequest['homes'],
  levels: readonly string[],
  name: Omit<ManagedRoot, 'folder'>,
): Fact<ManagedRoot> {
  const home = coppiceHome(homes);
  if (home === null) return absent;
  if (homes.account === null) return unknown('accounts cannot be told apart here');
  const folder = [home, ...levels].join('/');
  const proven = provePrivateDir(folder, { account: homes.account, from: home });
  return proven.kind === 'known' ? known({ folder: toByteString(folder), ...name }) : proven;
}

/** What the first part of the template stands for; with `{repository}` more may follow in the same part. */
function topOf(first: string, home: string | null, repository: string | null): string | null {
  if (first === '~') return home === null ? null : toByteString(home);
  if (first.startsWith('{repository}'))
    return repository === null ? null : `${repository}${toByteString(first.slice('{repository}'.length))}`;
  return toByteString(first);
}
