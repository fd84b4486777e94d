import type { Entries } from './flatten.ts';
import { throwProblems } from './read-settings.ts';
import type { Place, Row } from './row.ts';
import { showValue } from './show.ts';
import { rowOf, SETTING_KEYS, type SettingKey, type Settings } from './table.ts';

/** Whose word a value is: nobody's, the user's file, or the repository's (alone or added to the others). */
export type Source = 'default' | 'user' | 'repository';

/** Something in a settings file that is not used, or could not be looked up; nothing stops for it. */
export interface SettingsWarning {
  readonly code: 'setting-user-only' | 'setting-weaker' | 'setting-untrusted' | 'trust-unreadable' | 'no-user-settings';
  /** The setting it is about; null when it is about none. */
  readonly key: SettingKey | null;
  /** For people; what it quotes is escaped. */
  readonly text: string;
}

/** The value of every setting and where it came from. */
export interface ResolvedSettings {
  readonly settings: Settings;
  readonly sources: { readonly [K in SettingKey]: Source };
  readonly warnings: readonly SettingsWarning[];
}

/** One file's values. */
export interface Layer {
  readonly path: string;
  readonly entries: Entries;
}

/** What is resolved: the files that exist, and what their paths count from. */
export interface Layers {
  readonly user: Layer | null;
  readonly repository: Layer | null;
  /** True: the user trusts the exact content of the repository's file. */
  readonly trusted: boolean;
  readonly home: string | null;
  readonly top: string | null;
}

interface Standing {
  readonly value: unknown;
  readonly source: Source;
}

/**
 * Makes one value of default, user and repository for every setting. Reads nothing.
 *
 * Throws `UserError` (`settings-invalid`) when a value that would count cannot be understood.
 */
export function resolveSettings(layers: Layers): ResolvedSettings {
  const standing = new Map(SETTING_KEYS.map((key): [SettingKey, Standing] => [key, byDefault(key)]));
  const { user, repository } = layers;
  if (user !== null) {
    const place: Place = { file: 'user', home: layers.home, top: null };
    eachValue(user, user.entries.keys(), place, (key, value) => {
      standing.set(key, { value: rowOf(key).overDefault(value), source: 'user' });
    });
  }
  const warnings: SettingsWarning[] = [];
  if (repository !== null) {
    const place: Place = { file: 'repository', home: layers.home, top: layers.top };
    const allowed = [...repository.entries.keys()].filter((key) => {
      const refusal = whyNotAllowed(repository, key, layers.trusted);
      if (refusal !== null) warnings.push(refusal);
      return refusal === null;
    });
    eachValue(repository, allowed, place, (key, value) => {
      const { next, warning } = join(repository, key, standing.get(key) ?? byDefault(key), value);
      standing.set(key, next);
      if (warning !== null) warnings.push(warning);
    });
  }
  keepAnchorsAsLongAsTrash(standing);
  return { ...unzip(standing), warnings };
}

function byDefault(key: SettingKey): Standing {
  return { value: rowOf(key).default, source: 'default' };
}

/** Parses all values of a file before the first problem is thrown, so that a person sees them together. */
function eachValue(
  layer: Layer,
  keys: Iterable<SettingKey>,
  place: Place,
  use: (key: SettingKey, value: unknown) => void,
): void {
  const problems: string[] = [];
  for (const key of keys) {
    const raw = layer.entries.get(key);
    const parsed = rowOf(key).parse(raw, place);
    if (parsed.kind === 'ok') use(key, parsed.value);
    else problems.push(`${key} = ${showValue(raw)}: ${parsed.why}`);
  }
  throwProblems(layer.path, problems);
}

function whyNotAllowed(layer: Layer, key: SettingKey, trusted: boolean): SettingsWarning | null {
  const { who } = rowOf(key).repository;
  if (who === 'user') {
    const text = `${layer.path}: ${key} is not used: only the user's own settings may set it`;
    return { code: 'setting-user-only', key, text };
  }
  if (who === 'tighten' || trusted) return null;
  return {
    code: 'setting-untrusted',
    key,
    text: `${layer.path}: ${key} is not used: the content of this file is not trusted`,
  };
}

function join(
  layer: Layer,
  key: SettingKey,
  now: Standing,
  theirs: unknown,
): { next: Standing; warning: SettingsWarning | null } {
  const row: Row<unknown> = rowOf(key);
  if (row.repository.who === 'user') return { next: now, warning: null };
  const { merge } = row.repository;
  const { value, refused } = merge.join(now.value, theirs, now.source === 'user');
  const changed = row.format(value) !== row.format(now.value);
  const next: Standing = changed ? { value, source: 'repository' } : now;
  if (refused === null) return { next, warning: null };
  const what = `${layer.path}: ${key} = ${row.format(refused)} is not used`;
  const text = `${what}: a repository ${merge.words}; ${row.format(value)} stands`;
  return { next, warning: { code: 'setting-weaker', key, text } };
}

/** The trash without its anchors could not be undone after a `git gc`. */
function keepAnchorsAsLongAsTrash(standing: Map<SettingKey, Standing>): void {
  const keep = standing.get('trash.keep');
  const keepRefs = standing.get('trash.keepRefs');
  if (keep !== undefined && Number(keep.value) > Number(keepRefs?.value)) standing.set('trash.keepRefs', keep);
}

function unzip(standing: ReadonlyMap<SettingKey, Standing>): Pick<ResolvedSettings, 'settings' | 'sources'> {
  const settings = Object.fromEntries([...standing].map(([key, { value }]) => [key, value]));
  const sources = Object.fromEntries([...standing].map(([key, { source }]) => [key, source]));
  // Each row's parser, default and merge give the type that `Settings` derives from the same row.
  return { settings: settings as Settings, sources: sources as ResolvedSettings['sources'] };
}
