// Writes what is generated from the code: schema/*.schema.json and docs/reference.md.
//   node scripts/generate.mjs           writes
//   node scripts/generate.mjs --check   only compares; exit 1 and the names of the stale files
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const ENTRY = `
  export { VERBS } from './src/app.ts';
  export { verbPage } from './src/commands/support/verb-page.ts';
  export { jsonSchemaOf, PUBLISHED_SCHEMAS } from './src/contract/json-schema.ts';
  export { jsonPages } from './src/render/json.ts';
  export { renderReference } from './src/render/reference.ts';
`;

const files = await generate();
const stale = [...files].filter(([path, text]) => read(path) !== text).map(([path]) => path);
const left = readdirSync(join(root, 'schema'))
  .map((name) => `schema/${name}`)
  .filter((path) => !files.has(path));

if (process.argv.includes('--check')) {
  for (const path of [...stale, ...left]) process.stderr.write(`not what the code generates: ${path}\n`);
  process.exitCode = stale.length + left.length > 0 ? 1 : 0;
} else {
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files.get(path) ?? '');
    process.stdout.write(`${path}\n`);
  }
  for (const path of left) rmSync(join(root, path));
}

async function generate() {
  const bundle = await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
  const code = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
  const { VERBS, verbPage, jsonSchemaOf, PUBLISHED_SCHEMAS, jsonPages, renderReference } = await import(
    `data:text/javascript;base64,${code}`
  );
  return new Map([
    ...PUBLISHED_SCHEMAS.map((published) => [
      `schema/${published.name}.schema.json`,
      jsonPages(jsonSchemaOf(published)),
    ]),
    ['docs/reference.md', renderReference(VERBS.map(verbPage), PUBLISHED_SCHEMAS)],
  ]);
}

function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
