/**
 * Bundles src/cli.ts into dist: one entry, and one chunk a command that is read only when that command runs.
 * `npm run build` builds anew and leaves nothing of earlier builds; the other scripts build through ensure.mjs.
 */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isMain, rebuild, root } from './ensure.mjs';

const ENTRY = 'cli.js';
const SUPERSEDED_MS = 60 * 60_000;

/**
 * Writes the bundle of the inputs with this `hash` into `folder` and returns its files, relative to it.
 * @param project the project's folder, or that of a copy.
 */
export async function bundle(folder, hash, project = root) {
  // Not a static import: `npm run build` on a fresh clone reads this file before anything is installed.
  const { build } = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: ['src/cli.ts'],
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // It brings native code, which no bundle can hold; loaded where it is needed, and only then.
    external: ['fs-native-extensions'],
    charset: 'utf8',
    // Less to parse makes every start quicker; names stay, so that a stack trace still tells something.
    minifyWhitespace: true,
    minifySyntax: true,
    define: { COPPICE_VERSION: JSON.stringify(version), COPPICE_BUILD: JSON.stringify(hash) },
    write: false,
    logLevel: 'warning',
  });
  return outputFiles.map(({ path, contents }) => {
    const file = relative(folder, path);
    mkdirSync(dirname(path), { recursive: true });
    // esbuild's own banner would go into every chunk as well.
    writeFileSync(path, file === ENTRY ? Buffer.concat([Buffer.from('#!/usr/bin/env node\n'), contents]) : contents);
    if (file === ENTRY) chmodSync(path, 0o755);
    return file;
  });
}

/**
 * Moves a bundle into place, file by file: chunks first (their names carry a hash of their content), the entry next,
 * the stamp last. Whoever starts meanwhile finds the old entry or the new one, each with all of its chunks. Chunks of
 * the build `before` stay for an hour, for programs that still run it and have not yet read all of theirs.
 */
export function publish({ from, to, files, hash, before, prune }) {
  for (const file of [...files.filter((name) => name !== ENTRY), ENTRY]) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  const stamp = join(from, '.stamp');
  writeFileSync(stamp, `${[hash, ...files].join('\n')}\n`);
  renameSync(stamp, join(to, '.stamp'));

  const now = new Date();
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const file = relative(to, path);
    if (entry.isDirectory() || file === '.stamp' || files.includes(file)) continue;
    const superseded = !prune && before.includes(file);
    if (superseded) utimesSync(path, now, now);
    else if (prune || now.getTime() - statSync(path).mtimeMs > SUPERSEDED_MS) rmSync(path);
  }
}

// Never awaited here: ensure.mjs imports this module again, and would wait for it for ever.
if (isMain(import.meta.url)) void rebuild();
