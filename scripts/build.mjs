/**
 * Bundles src into dist: an entry, and all verbs as one file, of which each runs what it needs alone.
 * `npm run build` builds anew and leaves nothing of earlier builds; the other scripts build through ensure.mjs.
 */
import { createHash } from 'node:crypto';
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
import { Script } from 'node:vm';
import { isMain, rebuild, root } from './ensure.mjs';

const ENTRY = 'cli.js';
const SUPERSEDED_MS = 60 * 60_000;

/**
 * Writes the bundle of the inputs with this `hash` into `folder` and returns its files, relative to it: all verbs as one
 * file, what V8 makes of that, and the entry, which loads both. They are no ES modules: those take longer to load.
 * @param project the project's folder, or that of a copy.
 */
export async function bundle(folder, hash, project = root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const define = { COPPICE_VERSION: JSON.stringify(version), COPPICE_BUILD: JSON.stringify(hash) };
  const verbs = "export { wire } from './wire.ts'; export { run } from './app.ts';";
  const program = await bundled(project, {
    stdin: { contents: verbs, resolveDir: join(project, 'src'), loader: 'ts' },
    define,
    // It brings native code, which no bundle can hold; loaded where it is needed, and only then.
    external: ['fs-native-extensions'],
    supported: { 'dynamic-import': false },
  });
  const name = `program-${sha256(program).slice(0, 12)}.js`;
  // Just as src/cli.ts wraps it.
  const compiled = new Script(`(function (exports, require, module) {${program}\n})`).createCachedData();
  const entry = await bundled(project, {
    entryPoints: ['src/cli.ts'],
    define: {
      ...define,
      COPPICE_PROGRAM: JSON.stringify(name),
      COPPICE_COMPILED: JSON.stringify(sha256(compiled)),
    },
    banner: { js: '#!/usr/bin/env node' },
  });
  const files = new Map([
    [name, program],
    [`${name}.v8`, compiled],
    ['package.json', '{ "type": "commonjs" }\n'],
    [ENTRY, entry],
  ]);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of files) writeFileSync(join(folder, file), content);
  chmodSync(join(folder, ENTRY), 0o755);
  return [...files.keys()];
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

async function bundled(project, options) {
  // Not a static import: `npm run build` on a fresh clone reads this file before anything is installed.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: project,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // Less to parse makes every start quicker; names stay, so that a stack trace still tells something.
    minifyWhitespace: true,
    minifySyntax: true,
    write: false,
    logLevel: 'warning',
    ...options,
  });
  return outputFiles[0].text;
}

/**
 * Moves a bundle into place, file by file: the program first (its name carries a hash of its content), the entry next,
 * the stamp last. Whoever starts meanwhile finds the old entry or the new one, each with its program. That of the build
 * `before` stays for an hour, for an entry that was read and has not yet loaded it.
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
