import { isAbsolute, join, normalize } from 'node:path';
import { UserError } from '../judge/facts/user-error.ts';

/** Where this account's own files are looked for. */
export interface Homes {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The account's home folder; null when unknown. */
  readonly home: string | null;
  /** As Node names it: `linux`, `darwin`, … */
  readonly platform: string;
}

/** The user's settings file: below `$XDG_CONFIG_HOME`, else `~/.config`, on macOS too. Null when no home is known. */
export function userSettingsPath({ env, home }: Homes): string | null {
  const named = folderIn(env, 'XDG_CONFIG_HOME');
  if (named !== null) return join(named, 'coppice', 'config.toml');
  return home === null ? null : join(home, '.config', 'coppice', 'config.toml');
}

/**
 * coppice's own folder: `$COPPICE_HOME`, else `~/.coppice` (`~/.coppice.noindex` on macOS, so that desktop search leaves
 * it alone). Null when neither is known.
 */
export function coppiceHome({ env, home, platform }: Homes): string | null {
  const named = folderIn(env, 'COPPICE_HOME');
  if (named !== null) return named;
  return home === null ? null : join(home, platform === 'darwin' ? '.coppice.noindex' : '.coppice');
}

/** A relative path would mean another folder in every directory; passing over it would pass over the settings there. */
function folderIn(env: Homes['env'], name: string): string | null {
  const value = env[name];
  if (value === undefined || value === '') return null;
  if (!isAbsolute(value)) throw new UserError('relative-folder', `${name} must be an absolute path, and is ${value}`);
  const plain = normalize(value);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}
