import { posix } from 'node:path';
import { type Import, readImports } from './read-imports.ts';

/**
 * Who may import what: the same table as the overrides of .oxlintrc.json, but over the files that the imports lead to,
 * where a lint pattern sees only their text. A part of the house that is missing here may not exist.
 */
interface Part {
  /** Parts it may import. Its own files always. */
  readonly parts: readonly string[];
  /** Parts it may import types from. */
  readonly types?: readonly string[];
  /** Parts it may load with `import()`. */
  readonly lazily?: readonly string[];
  readonly packages?: readonly string[];
  /** Modules of Node; `most` is all but those that print, start processes or lead around these rules. */
  readonly node?: 'most' | readonly string[];
}

const READERS = ['judge', 'git', 'system', 'state', 'config', 'forge'];
const FOR_VERBS = ['context.ts', 'survey', 'judge', 'act', 'render', 'contract', 'config', 'demo', 'commands/support'];
const EVERY_PART = [...READERS, 'survey', 'act', 'render', 'contract', 'commands', 'commands/support', 'demo'];

const HOUSE: Readonly<Record<string, Part>> = {
  judge: { parts: [] },
  contract: { parts: [], types: ['judge'], packages: ['valibot', '@valibot/to-json-schema'] },
  render: {
    parts: ['contract', 'judge'],
    types: ['context.ts'],
    packages: ['fast-string-width'],
    node: ['node:util'],
  },
  survey: { parts: [...READERS, 'version.ts'], node: 'most' },
  git: { parts: ['judge', 'system'], node: 'most' },
  system: { parts: ['judge'], packages: ['fs-native-extensions'], node: 'most' },
  config: {
    parts: ['judge', 'system'],
    packages: ['smol-toml', 'valibot'],
    node: ['node:fs', 'node:fs/promises', 'node:path', 'node:crypto'],
  },
  state: { parts: ['judge', 'git', 'system', 'config'], packages: ['valibot'], node: 'most' },
  forge: { parts: ['judge', 'git', 'system', 'config', 'state'], packages: ['valibot'], node: 'most' },
  act: { parts: [...READERS, 'survey'], types: ['context.ts'], node: 'most' },
  demo: { parts: ['judge', 'git', 'system'], node: 'most' },
  commands: { parts: FOR_VERBS, types: ['app.ts'], packages: ['@stricli/core'] },
  'commands/support': { parts: FOR_VERBS, types: ['app.ts'], lazily: ['commands'], packages: ['@stricli/core'] },
  'app.ts': {
    parts: ['context.ts', 'judge', 'contract', 'render', 'config', 'commands/support'],
    lazily: ['commands'],
    packages: ['@stricli/core'],
  },
  // The version alone.
  'version.ts': { parts: [] },
  'context.ts': { parts: [], types: EVERY_PART },
  'wire.ts': {
    parts: ['context.ts', ...READERS, 'survey', 'act', 'render', 'contract', 'demo', 'version.ts'],
    node: 'most',
  },
  'cli.ts': { parts: ['app.ts', 'wire.ts', 'context.ts', 'judge', 'render', 'commands/support'], node: 'most' },
};

const NEVER = ['node:console', 'node:module', 'node:vm', 'node:repl', 'node:cluster'];
const TOUCH_THE_PROCESS = ['cli.ts', 'wire.ts', 'system/process-group.ts'];

/** What is wrong with one file of src; `file` is its path below src. Empty when nothing is. */
export function faultsOf(file: string, source: string): readonly string[] {
  const own = partOf(file);
  const rules = HOUSE[own];
  if (rules === undefined) return [`src/${file}: "${own}" is no part of the house; name it in test/guard/house.ts`];
  return readImports(file, source).flatMap((one) => {
    const fault = faultOf(one, file, own, rules);
    return fault === null ? [] : [`src/${file}:${one.line}: ${fault}`];
  });
}

function faultOf({ from, kind }: Import, file: string, own: string, rules: Part): string | null {
  if (from === null) return 'imports a computed name';
  if (from.startsWith('.')) {
    const target = posix.join(posix.dirname(file), from);
    if (target.startsWith('..')) return `leaves src: ${from}`;
    if (target.endsWith('.test.ts')) return `imports a test: ${from}`;
    const part = partOf(target);
    if (part === own || rules.parts.includes(part)) return null;
    if (kind === 'type' && rules.types?.includes(part) === true) return null;
    if (kind === 'dynamic' && rules.lazily?.includes(part) === true) return null;
    return `${own} must not import ${part}${WORDS[kind]}: ${from}`;
  }
  if (from.startsWith('node:')) return mayUseNode(from, file, rules) ? null : `${own} must not import ${from}`;
  return rules.packages?.includes(from) === true ? null : `${own} must not import the package ${from}`;
}

const WORDS: Readonly<Record<Import['kind'], string>> = { type: "'s types", static: '', dynamic: ', also lazily' };

function mayUseNode(from: string, file: string, { node = [] }: Part): boolean {
  if (node !== 'most') return node.includes(from);
  if (from === 'node:process') return TOUCH_THE_PROCESS.includes(file);
  if (from === 'node:child_process') return file === 'git/run.ts' || file.startsWith('system/');
  // It loads the program beside it.
  if (from === 'node:vm' && file === 'cli.ts') return true;
  return !NEVER.includes(from);
}

/** `judge/facts/fact.ts` → `judge`, `cli.ts` → `cli.ts`. What verbs share is a part of its own. */
function partOf(file: string): string {
  if (file.startsWith('commands/support/')) return 'commands/support';
  return file.split('/')[0] ?? file;
}
