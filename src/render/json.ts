import { sanitizeJson } from './sanitize.ts';

/** One document as one line. */
export function jsonLine(document: object): string {
  return `${sanitizeJson(JSON.stringify(document))}\n`;
}

/** One document indented, for files and for reading. */
export function jsonPages(document: object): string {
  return `${sanitizeJson(JSON.stringify(document, null, 2))}\n`;
}
