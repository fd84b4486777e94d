import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';

/** An error for people, from the decoded document. A text of several lines (what git said) keeps them. */
export function renderError(error: { readonly text: string; readonly hint: string | null }, style: Style): string {
  const [first = '', ...more] = error.text.trimEnd().split('\n');
  const lines = [
    `${style.alarm('coppice:')} ${sanitize(first)}`,
    ...more.map((line) => `  ${sanitize(line)}`),
    ...(error.hint === null ? [] : error.hint.split('\n').map((line) => `  ${sanitize(line)}`)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The stack of an internal error, for those who asked for it. */
export function renderStack(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${stack.split('\n').map(sanitize).join('\n')}\n`;
}
