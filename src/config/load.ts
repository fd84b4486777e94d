import { join } from 'node:path';
import { coppiceHome, type Homes, userSettingsPath } from './homes.ts';
import { readSettings, type SettingsFile } from './read-settings.ts';
import { type ResolvedSettings, resolveSettings, type SettingsWarning } from './resolve.ts';
import { rowOf } from './table.ts';
import { readTrust } from './trust.ts';

/** Where settings are looked for, and for whom. */
export interface SettingsPlace extends Homes {
  /** The user id of this account; null where there is no such thing: then no repository is trusted. */
  readonly account: number | null;
  /** The top folder of the repository's checkout, absolute; null for a bare repository or none. */
  readonly repositoryTop: string | null;
}

/** The settings of a run, with the files they were read from. */
export interface LoadedSettings extends ResolvedSettings {
  readonly files: {
    /** Null: not there. */
    readonly user: { readonly path: string } | null;
    /** Null: not there. `sha256` is that of the exact bytes that were used. */
    readonly repository: { readonly path: string; readonly sha256: string; readonly trusted: boolean } | null;
  };
}

/**
 * Reads `<config home>/coppice/config.toml` and `<repository top>/coppice.toml`, and resolves every setting. A missing
 * file leaves the defaults; a repository's file tightens them, and does more only when its content is trusted.
 *
 * Throws `UserError` when a file is there but cannot be read (`settings-unreadable`) or understood (`settings-invalid`),
 * or an environment variable names no absolute folder (`relative-folder`). Writes nothing.
 */
export function loadSettings(place: SettingsPlace): LoadedSettings {
  const userPath = userSettingsPath(place);
  // People keep their own settings behind links; a link in a repository could point anywhere.
  const user = userPath === null ? null : readSettings(userPath, true);
  const top = place.repositoryTop;
  const repository = top === null ? null : readSettings(join(top, 'coppice.toml'), false);
  const trust = repository === null ? NO_TRUST : trustOf(repository, place);
  const resolved = resolveSettings({ user, repository, trusted: trust.trusted, home: place.home, top });
  return {
    ...resolved,
    warnings: [...(userPath === null ? [NO_HOME] : []), ...trust.warnings, ...resolved.warnings],
    files: {
      user: user === null ? null : { path: user.path },
      repository:
        repository === null ? null : { path: repository.path, sha256: repository.sha256, trusted: trust.trusted },
    },
  };
}

interface Trust {
  readonly trusted: boolean;
  readonly warnings: readonly SettingsWarning[];
}

const NO_TRUST: Trust = { trusted: false, warnings: [] };

const NO_HOME: SettingsWarning = {
  code: 'no-user-settings',
  key: null,
  text: "the user's own settings are not read: neither XDG_CONFIG_HOME nor a home folder is known",
};

/** Asked only when the file holds something that needs trust, so that others pay and hear nothing. */
function trustOf(repository: SettingsFile, place: SettingsPlace): Trust {
  if (![...repository.entries.keys()].some((key) => rowOf(key).repository.who === 'trusted')) return NO_TRUST;
  const home = coppiceHome(place);
  if (home === null || place.account === null) return untrusted('it is not known where this account keeps it');
  const hashes = readTrust({ coppiceHome: home, account: place.account });
  if (hashes.kind === 'unknown') return untrusted(`${join(home, 'trust.json')}: ${hashes.reason}`);
  return hashes.kind === 'known' ? { trusted: hashes.value.has(repository.sha256), warnings: [] } : NO_TRUST;
}

function untrusted(why: string): Trust {
  const text = `no repository is trusted, because the list of trusted files cannot be read: ${why}`;
  return { trusted: false, warnings: [{ code: 'trust-unreadable', key: null, text }] };
}
