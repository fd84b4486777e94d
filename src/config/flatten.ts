import { didYouMean } from './did-you-mean.ts';
import { quote } from './show.ts';
import { rowOf, SETTING_KEYS, type SettingKey } from './table.ts';

/** The values of one settings file, as TOML has them, by setting. */
export type Entries = ReadonlyMap<SettingKey, unknown>;

/** What one file's tables hold. */
export interface Flat {
  readonly entries: Entries;
  /** What must be mended before any of it may be used: unknown and doubled keys, in words. */
  readonly problems: readonly string[];
}

const SPELLINGS: ReadonlyMap<string, SettingKey> = new Map(
  SETTING_KEYS.flatMap((key): [string, SettingKey][] => {
    const other = rowOf(key).inTable;
    return other === undefined
      ? [[key, key]]
      : [
          [key, key],
          [other, key],
        ];
  }),
);

const HEADS: ReadonlySet<string> = new Set(
  [...SPELLINGS.keys()].flatMap((name) => {
    const parts = name.split('.');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
  }),
);

/** Turns nested tables into dotted settings. */
export function flatten(document: object): Flat {
  const entries = new Map<SettingKey, unknown>();
  const problems: string[] = [];
  function visit(value: unknown, name: string): void {
    const key = SPELLINGS.get(name);
    if (isTable(value) && (name === '' || HEADS.has(name))) {
      for (const [part, inner] of Object.entries(value))
        visit(inner, name === '' ? spell(part) : `${name}.${spell(part)}`);
    } else if (key === undefined) {
      problems.push(unknownKey(name));
    } else if (entries.has(key)) {
      problems.push(`${key} is set twice, once as ${rowOf(key).inTable}`);
    } else {
      entries.set(key, value);
    }
  }
  visit(document, '');
  return { entries, problems };
}

/** A part of a key as TOML spells it. */
function spell(part: string): string {
  return /^[A-Za-z0-9_-]{1,80}$/.test(part) ? part : quote(part);
}

function unknownKey(name: string): string {
  const near = didYouMean(name.replaceAll('"', ''), [...new Set([...SPELLINGS.keys(), ...HEADS])]);
  return `unknown setting ${name}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`;
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
