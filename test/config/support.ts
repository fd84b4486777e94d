import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { onTestFinished } from 'vitest';
import { type Entries, flatten } from '../../src/config/flatten.ts';
import { loadSettings, type SettingsPlace } from '../../src/config/load.ts';
import type { Layers } from '../../src/config/resolve.ts';

/** This account, as coppice is told it. */
export const ACCOUNT = process.getuid?.() ?? -1;

/** A folder of this test's own, gone after it. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coppice-config-')));
  onTestFinished(() => {
    // Closed folders hinder everyone but root; asking chmod every time would make the tests slow.
    if (ACCOUNT !== 0) execFileSync('chmod', ['-R', 'u+rwX', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** A home folder and a checkout with the given settings files; `load` reads them. */
export function place(files: { user?: string | Uint8Array; repository?: string | Uint8Array }) {
  const folder = scratch();
  const home = join(folder, 'home');
  const top = join(folder, 'checkout');
  for (const made of [home, top]) mkdirSync(made);
  const userFile = join(home, '.config', 'coppice', 'config.toml');
  const repositoryFile = join(top, 'coppice.toml');
  if (files.user !== undefined) put(userFile, files.user);
  if (files.repository !== undefined) put(repositoryFile, files.repository);
  const where: SettingsPlace = { env: {}, home, platform: 'linux', account: ACCOUNT, repositoryTop: top };
  return { folder, home, top, userFile, repositoryFile, where, load: () => loadSettings(where) };
}

/** Writes a file and the folders above it. */
export function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Settings as if read from TOML tables. */
export function entries(document: object): Entries {
  const flat = flatten(document);
  if (flat.problems.length > 0) throw new Error(flat.problems.join('\n'));
  return flat.entries;
}

/** Layers of two documents, with folders that need not exist. */
export function layers(user: object | null, repository: object | null, trusted = false): Layers {
  return {
    user: user === null ? null : { path: '/home/me/.config/coppice/config.toml', entries: entries(user) },
    repository: repository === null ? null : { path: '/src/app/coppice.toml', entries: entries(repository) },
    trusted,
    home: '/home/me',
    top: '/src/app',
  };
}

/**
 * Runs a module with `body` as an account without root's privileges, which would hide every permission fault; what
 * `say` is given comes back. `imports` are names of one file of src.
 */
export function unprivileged(folder: string, file: string, imports: string, body: string): unknown {
  const source = join(import.meta.dirname, '..', '..', 'src', file);
  const script = join(folder, 'unprivileged.mjs');
  buildSync({
    stdin: {
      contents: `import { ${imports} } from ${JSON.stringify(source)};
        function attempt(ask) { try { return ask() ?? null } catch (fault) { return [fault.code, fault.message] } }
        console.log(JSON.stringify(attempt(() => { ${body} })));`,
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    logLevel: 'error',
  });
  chmodSync(folder, 0o755);
  const asNobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, script];
  const [program, ...rest] = ACCOUNT === 0 ? ['setpriv', ...asNobody] : [process.execPath, script];
  return JSON.parse(execFileSync(program ?? '', rest, { encoding: 'utf8', cwd: '/', env: {} }));
}
