/** One file that is tried under the real lint configuration. */
export interface Example {
  readonly file: string;
  readonly source: string;
  /** The rules that must be named for it, and no other; none when it must pass. */
  readonly rules: readonly string[];
}

const PARTS = ['act', 'commands', 'config', 'contract', 'demo', 'forge', 'git', 'judge', 'render', 'state', 'survey'];
const TOP = ['app.ts', 'cli.ts', 'context.ts', 'wire.ts'];
const EVERYTHING = [...[...PARTS, 'system'].map((part) => `${part}/x.ts`), ...TOP];
/** What of Node leads around these rules, and is nobody's. */
const AROUND = ['node:console', 'node:module', 'node:vm', 'node:repl', 'node:cluster'];
/** Globals that not even the files at the top may use. */
const NOT_EVEN_HERE = ['console', 'globalThis', 'global', 'require'];
const READERS = ['judge', 'git', 'system', 'state', 'config', 'forge'];
const FOR_VERBS = ['act', 'config', 'contract', 'demo', 'judge', 'render', 'survey', 'context.ts', 'app.ts'];

/** Files that break a rule of the house, by the part they lie in. */
export const BROKEN: Readonly<Record<string, readonly Example[]>> = {
  judge: [
    ...mayImportOnly('judge'),
    ...imports('src/judge/holds/deep/up-#.ts', '../../../git/x.ts', '../../../context.ts'),
    ...imports('src/judge/holds/outside-#.ts', 'node:fs', 'node:fs/promises', 'valibot'),
    ...imports('src/judge/holds/deep/outside-#.ts', 'node:fs', 'node:fs/promises', 'valibot'),
    ...imports('src/judge/outside-#.ts', 'node:fs', 'node:fs/promises', 'node:util', 'valibot', '@stricli/core'),
    ...breaks('no-restricted-imports', 'src/judge/form-#.ts', [
      "export const a = () => import('../git/x.ts');",
      "export * from '../git/x.ts';",
      "export type { A } from '../git/x.ts';",
    ]),
    ...globals('src/judge/time-#.ts', 'new Date()', 'Date.now()', 'performance.now()'),
    ...globals('src/judge/timer-#.ts', 'setTimeout(String)', 'setInterval(String)', 'setImmediate(String)'),
    ...globals('src/judge/world-#.ts', "fetch('')", "Buffer.from('')", 'crypto.randomUUID()', 'globalThis.Date'),
    ...breaks('no-restricted-properties', 'src/judge/random-#.ts', [
      'export const a = Math.random();',
      "export const a = Math['random']();",
      'export const { random } = Math;',
    ]),
  ],
  contract: [
    ...mayImportOnly('contract', 'judge'),
    ...imports('src/contract/outside-#.ts', 'node:util', 'smol-toml', '@stricli/core'),
  ],
  render: [
    ...mayImportOnly('render', 'contract', 'judge', 'context.ts'),
    ...imports('src/render/outside-#.ts', 'node:fs', 'node:process', 'node:tty', 'valibot'),
  ],
  survey: [
    ...mayImportOnly('survey', ...READERS),
    ...imports('src/survey/outside-#.ts', 'valibot', 'node:process', 'node:child_process', ...AROUND),
  ],
  git: [
    ...mayImportOnly('git', 'judge', 'system'),
    ...imports('src/git/outside-#.ts', 'valibot', 'node:process', 'node:child_process', ...AROUND),
    ...imports('src/git/parse/outside-#.ts', 'node:child_process'),
    every('src/git/run.ts', ['../survey/x.ts', '../wire.ts', 'valibot', 'node:process', ...AROUND], ['process']),
  ],
  config: [
    ...mayImportOnly('config', 'judge', 'system'),
    ...imports('src/config/outside-#.ts', 'node:os', 'node:child_process', 'node:process', '@stricli/core', ...AROUND),
  ],
  system: [
    ...mayImportOnly('system', 'judge'),
    ...imports('src/system/outside-#.ts', 'valibot', 'node:process', ...AROUND),
  ],
  state: [
    ...mayImportOnly('state', 'judge', 'git', 'system', 'config', 'forge'),
    ...imports('src/state/outside-#.ts', 'smol-toml', 'node:process', 'node:child_process', ...AROUND),
  ],
  forge: [
    ...mayImportOnly('forge', 'judge', 'git', 'system', 'config', 'state'),
    ...imports('src/forge/outside-#.ts', 'smol-toml', 'node:process', 'node:child_process', ...AROUND),
  ],
  demo: [
    ...mayImportOnly('demo', 'judge', 'git', 'system'),
    ...imports('src/demo/outside-#.ts', 'valibot', 'node:process', 'node:child_process', ...AROUND),
  ],
  act: [
    ...mayImportOnly('act', ...READERS, 'survey', 'context.ts'),
    ...imports('src/act/outside-#.ts', 'valibot', 'node:process', 'node:child_process', ...AROUND),
  ],
  commands: [
    ...mayImportOnly('commands', ...FOR_VERBS),
    ...imports('src/commands/outside-#.ts', 'node:fs', 'node:path', 'node:child_process', 'valibot', 'smol-toml'),
  ],
  top: [
    every('src/app.ts', ['node:fs', 'node:fs/promises', './act/x.ts'], ['process', ...NOT_EVEN_HERE]),
    every(
      'src/cli.ts',
      ['node:child_process', './act/x.ts', './commands/sweep.ts', ...AROUND.filter((name) => name !== 'node:vm')],
      NOT_EVEN_HERE.filter((name) => name !== 'require'),
    ),
    every('src/wire.ts', ['node:child_process', './commands/sweep.ts', ...AROUND], NOT_EVEN_HERE),
    every('src/system/process-group.ts', ['valibot', ...AROUND], ['process', ...NOT_EVEN_HERE]),
    every('src/context.ts', ['node:process', './commands/x.ts'], ['process', ...NOT_EVEN_HERE]),
    ...imports('src/other-#.ts', 'node:process', 'node:child_process', './commands/sweep.ts', ...AROUND),
    ...globals('src/other-global-#.ts', 'process.env', 'console', 'globalThis', 'global', 'require.cache'),
    ...imports('src/elsewhere/other-#.ts', '../act/x.ts', '../commands/x.ts'),
  ],
  'any part that prints or touches the process': [...PARTS, 'system'].flatMap((part) => [
    ...globals(`src/${part}/process-#.ts`, 'process.env', 'globalThis.process', 'global.process', 'require.cache'),
    { file: `src/${part}/print.ts`, source: "console.log('');", rules: ['no-console', 'no-restricted-globals'] },
  ]),
  'any part with a mistake': [
    ...breaks('no-floating-promises', 'src/survey/floating-#.ts', ['Promise.resolve(1);\nexport {};']),
    ...breaks('no-misused-promises', 'src/survey/misused-#.ts', ['export const a = Promise.resolve(1) ? 1 : 2;']),
    ...breaks('await-thenable', 'src/survey/await-#.ts', [
      'export async function a(b: number): Promise<void> {\n  await b;\n}',
    ]),
    ...breaks('switch-exhaustiveness-check', 'src/survey/switch-#.ts', [
      "export function a(b: 'x' | 'y'): number {\n  switch (b) {\n    case 'x':\n      return 1;\n  }\n  return 2;\n}",
    ]),
    ...breaks('no-empty', 'src/survey/catch-#.ts', ["try {\n  JSON.parse('');\n} catch {}\nexport {};"]),
    ...breaks('no-default-export', 'src/survey/default-#.ts', ['export default 1;']),
    ...breaks('max-lines', 'src/survey/long-#.ts', [`export const a = 1;${'\n// more'.repeat(300)}`]),
    {
      file: 'src/system/protocol.ts',
      source: "import 'fs';",
      rules: ['no-restricted-imports', 'prefer-node-protocol'],
    },
    ...breaks('filename-case', 'src/survey/camelCase.ts', ['export const a = 1;']),
  ],
};

/** Files that keep to the house and must pass. */
export const CLEAN: readonly Example[] = [
  // Every part may import its own files, beside and above; most of them Node.
  ...[...PARTS, 'system'].flatMap((part) => [
    clean(`src/${part}/beside.ts`, "import './other.ts';"),
    clean(`src/${part}/deeper/above.ts`, "import '../other.ts';"),
  ]),
  ...['survey', 'git', 'system', 'state', 'forge', 'demo', 'act'].map((part) => {
    return clean(`src/${part}/node.ts`, "import 'node:path';", "import 'node:fs/promises';");
  }),
  clean('src/judge/clean.ts', "import './row.ts';", 'export const a = Math.max(1, 2);'),
  clean('src/judge/holds/clean.ts', "import '../row.ts';", "import './b.ts';", "import '../facts/fact.ts';"),
  clean('src/judge/holds/deep/clean.ts', "import '../../row.ts';", "import '../b.ts';", "import './c.ts';"),
  clean(
    'src/contract/clean.ts',
    "import 'valibot';",
    "import '@valibot/to-json-schema';",
    "export type { A } from '../judge/row.ts';",
  ),
  clean('src/contract/parts/clean.ts', "import '../error.ts';", "export type { A } from '../../judge/row.ts';"),
  clean('src/render/clean.ts', "import 'node:util';", "import 'fast-string-width';", "import '../contract/a.ts';"),
  clean('src/render/help/clean.ts', "import '../style.ts';", "import '../../judge/row.ts';"),
  clean('src/survey/clean.ts', ...READERS.map((part) => `import '../${part}/a.ts';`)),
  clean(
    'src/survey/worktree/clean.ts',
    "import 'node:fs/promises';",
    "import '../a.ts';",
    "import '../../git/run.ts';",
  ),
  clean('src/git/clean.ts', "import '../judge/row.ts';", "import '../system/files.ts';", "import 'node:path';"),
  clean('src/config/clean.ts', "import 'smol-toml';", "import 'valibot';", "import '../system/files.ts';"),
  clean(
    'src/config/node.ts',
    "import 'node:fs';",
    "import 'node:fs/promises';",
    "import 'node:path';",
    "import 'node:crypto';",
  ),
  clean('src/system/file-lock.ts', "export const a = () => import('fs-native-extensions');"),
  clean('src/system/clean.ts', "import 'node:child_process';", "import 'node:fs';", "import '../judge/row.ts';"),
  clean('src/system/process-group.ts', "import 'node:process';"),
  clean('src/state/clean.ts', "import 'valibot';", "import '../system/files.ts';", "import 'node:path';"),
  clean('src/forge/clean.ts', "import 'valibot';", "import '../system/run.ts';"),
  clean('src/demo/clean.ts', "import '../git/run.ts';", "import 'node:path';"),
  clean('src/act/clean.ts', "import '../survey/a.ts';", "import '../judge/permit.ts';", "import '../git/write.ts';"),
  clean('src/commands/clean.ts', "import '../context.ts';", "import '../act/a.ts';", "import '@stricli/core';"),
  clean('src/commands/support/clean.ts', "import '../../render/a.ts';", "import '../../config/a.ts';"),
  clean('src/commands/clean.test.ts', "import 'node:fs';", "import '../git/run.ts';", 'export const a = process.pid;'),
  clean('test/clean.test.ts', "import 'node:child_process';", "import '../src/git/run.ts';"),
  clean('src/judge/print.test.ts', "console.log('', Math.random());", 'export {};'),
  clean('test/some.config.ts', 'export default 1;'),
  // Names that stand in BROKEN as well, tried in a tree of their own.
  clean('src/git/run.ts', "import 'node:child_process';", "import 'node:fs/promises';", "import '../system/files.ts';"),
  clean('src/app.ts', "import '@stricli/core';", "export const a = () => import('./commands/sweep.ts');"),
  clean(
    'src/cli.ts',
    "import 'node:vm';",
    'export const a = require.main;',
    "import './app.ts';",
    "import './commands/support/dispatch.ts';",
    'process.exitCode = 0;',
  ),
  clean('src/wire.ts', "import 'node:process';", "import './act/a.ts';", 'export const a = process.pid;'),
  clean('src/context.ts', "export type { A } from './judge/row.ts';", "export type { B } from './act/undo.ts';"),
];

/** Everything of src but what is allowed, seen from a file directly in the part and from one a folder deeper. */
function mayImportOnly(part: string, ...allowed: string[]): readonly Example[] {
  const forbidden = EVERYTHING.filter((path) => ![part, ...allowed].includes(path.replace('/x.ts', '')));
  return [
    ...imports(`src/${part}/only-#.ts`, ...forbidden.map((path) => `../${path}`)),
    ...imports(`src/${part}/deeper/only-#.ts`, ...forbidden.map((path) => `../../${path}`)),
  ];
}

function imports(file: string, ...from: string[]): readonly Example[] {
  const sources = from.map((name) => `import '${name}';`);
  return breaks('no-restricted-imports', file, sources);
}

function globals(file: string, ...uses: string[]): readonly Example[] {
  const sources = uses.map((use) => `export const a: unknown = ${use};`);
  return breaks('no-restricted-globals', file, sources);
}

/** A file at the top exists once, so that all it must not have stands in it. */
function every(file: string, from: readonly string[], uses: readonly string[]): Example {
  const lines = [...from.map((name) => `import '${name}';`), ...uses.map((use, at) => `export const a${at} = ${use};`)];
  const rules = [...uses.map(() => 'no-restricted-globals'), ...from.map(() => 'no-restricted-imports')];
  return { file, source: lines.join('\n'), rules };
}

/** One file a source; `#` in its name becomes a number. */
function breaks(rule: string, file: string, sources: readonly string[]): readonly Example[] {
  return sources.map((source, at) => ({ file: file.replace('#', String(at)), source, rules: [rule] }));
}

function clean(file: string, ...lines: string[]): Example {
  return { file, source: lines.join('\n'), rules: [] };
}
