import type { Row } from './row.ts';
import { rowOf, SETTING_KEYS, type SettingKey } from './table.ts';

const HEAD = `# Settings

<!-- Generated from src/config/table.ts; \`npx vitest run test/config -u\` writes it again. -->

Two files, both TOML, both optional:

- the user's own: \`$XDG_CONFIG_HOME/coppice/config.toml\`, else \`~/.config/coppice/config.toml\`, on macOS too;
- the repository's: \`coppice.toml\` in the top folder of its checkout.

A repository's file may tighten a setting, never weaken it. What would weaken is not used, and a warning says so. Some
settings it may only set once the exact content of the file is trusted. This version has no verb to trust a file, so these
count only in the user's own.

A file that is there but cannot be read or understood stops coppice: unknown names, wrong types, no UTF-8, no TOML, more
than 256 KiB, no regular file. A setting that was meant to keep something is never passed over.

Dotted names may be written as tables: \`trash.keep = "30d"\`, or \`keep = "30d"\` below \`[trash]\`.

- **Durations**: a whole number and \`s\`, \`m\`, \`h\`, \`d\` or \`w\`, in quotes: \`"90m"\`, \`"24h"\`, \`"2w"\`.
- **Sizes**: bytes, or a whole number and \`K\`, \`M\`, \`G\`, \`T\`, \`KiB\`, \`MiB\`, \`GiB\`, \`TiB\` (by 1024) or \`KB\`, \`MB\`,
  \`GB\`, \`TB\` (by 1000), in quotes: \`"16MiB"\`, \`"2G"\`.
- **Paths**: absolute, or beginning with \`~/\`; in a repository's file also below its top folder. Never with \`..\`.
`;

/** The reference of all settings as Markdown, ending in a newline. */
export function settingsMarkdown(): string {
  const rows = SETTING_KEYS.map((key) => `| ${cells(key, rowOf(key)).join(' | ')} |`);
  const table = ['| setting | kind | default | in a repository | meaning |', '|---|---|---|---|---|', ...rows];
  return `${HEAD}\n${table.join('\n')}\n`;
}

function cells(key: SettingKey, row: Row<unknown>): readonly string[] {
  const doc = row.inTable === undefined ? row.doc : `${row.doc} In a table it is spelled \`${row.inTable}\`.`;
  const value = row.format(row.default);
  return [`\`${key}\``, row.kind, value === 'not set' ? value : `\`${value}\``, inRepository(row), doc].map(escapeCell);
}

function inRepository(row: Row<unknown>): string {
  if (row.repository.who === 'user') return 'not used';
  const { who, merge } = row.repository;
  return who === 'tighten' ? merge.words : `when trusted: ${merge.words}`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
