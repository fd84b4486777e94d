import type { DemoDocument, SchemaListDocument } from '../contract/lists.ts';
import { sanitize } from './sanitize.ts';
import { padText, textWidth } from './width.ts';

/** The schemas there are. */
export function renderSchemaList({ schemas }: SchemaListDocument): string {
  const verbs = Math.max(...schemas.map(({ verb }) => textWidth(verb)));
  const names = Math.max(...schemas.map(({ name }) => textWidth(name)));
  const rows = schemas.map(({ verb, name, brief }) => `${padText(verb, verbs)}  ${padText(name, names)}  ${brief}\n`);
  return `${rows.join('')}\nOne of them as JSON Schema: coppice schema VERB\n`;
}

/** What was built by `demo`. `command` sweeps it again. */
export function renderDemo(demo: DemoDocument, command: string): string {
  const width = Math.max(...demo.leftovers.map(({ branch }) => textWidth(branch)));
  return [
    `A throw-away repository to try coppice on: ${sanitize(demo.path)}`,
    'It is yours: change it, break it, delete the folder above it when you are done.',
    '',
    'It holds',
    ...demo.leftovers.map(({ branch, what }) => `  ${padText(branch, width)}  ${what}`),
    '',
    `This is what a sweep says of it (again with: ${sanitize(command)})`,
    '',
    '',
  ].join('\n');
}
