import { createHash } from 'node:crypto';
import { parse, TomlError } from 'smol-toml';
import { UserError } from '../judge/facts/user-error.ts';
import { readBounded } from '../system/files.ts';
import { type Entries, flatten } from './flatten.ts';

/** The largest settings file that is read, in bytes. */
export const LARGEST_SETTINGS = 256 * 1024;

/** A settings file as it was read. */
export interface SettingsFile {
  readonly path: string;
  readonly entries: Entries;
  /** The sha256 of the file's exact bytes, in lower-case hex. */
  readonly sha256: string;
}

/**
 * Reads one settings file; null when there is none. `follow`: it may be a symbolic link.
 *
 * Throws `UserError` when it is there and cannot be read whole (`settings-unreadable`), or is no UTF-8, no TOML, or
 * holds an unknown key (`settings-invalid`): what was meant to keep something must not be passed over.
 */
export function readSettings(path: string, follow: boolean): SettingsFile | null {
  const read = readBounded(path, LARGEST_SETTINGS, { follow });
  if (read.kind === 'absent') return null;
  if (read.kind === 'unknown') throw new UserError('settings-unreadable', `cannot read ${path}: ${read.reason}`);
  const { entries, problems } = flatten(parseToml(path, decode(path, read.value)));
  throwProblems(path, problems);
  return { path, entries, sha256: createHash('sha256').update(read.value).digest('hex') };
}

/** Throws `UserError` (`settings-invalid`) that names every problem, a line each; nothing when there is none. */
export function throwProblems(path: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 20).map((problem) => `${path}: ${problem}`);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  throw new UserError('settings-invalid', [...shown, ...more].join('\n'));
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UserError('settings-invalid', `${path}: not UTF-8`, { cause });
  }
}

function parseToml(path: string, text: string): object {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded', unsafeKeyBehaviour: 'throw', maxDepth: 16 });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // Only the first line: the rest quotes the file.
    const what = cause.message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    throw new UserError('settings-invalid', `${path}:${cause.line}:${cause.column}: not TOML: ${what}`, { cause });
  }
}
