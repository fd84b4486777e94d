/** The project's documents, and what they say about commands, files and links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

/** All documents that are written by hand or generated, as paths below the project's folder. */
export const DOCUMENTS: readonly string[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].toSorted();

/** A file of the project as text. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const FENCE = /^```(\w*)\n([^]*?)^```$/gm;
/** Inline code, also across the end of a line. */
const SPAN = /(?<!`)`([^`]+)`(?!`)/g;

/** The contents of fenced blocks in one language. */
export function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(FENCE)].filter((match) => match[1] === language).map((match) => match[2] ?? '');
}

/** Everything set as code that a person might type or look up: inline code, and each line of shell blocks. */
export function codeOf(text: string): string[] {
  const spans = [...text.replaceAll(FENCE, '').matchAll(SPAN)].map((match) => (match[1] ?? '').replaceAll('\n', ' '));
  const lines = blocksOf(text, 'sh').flatMap((block) => block.split('\n'));
  return [...spans, ...lines.map((line) => line.replace(/(?:^|\s)#.*$/, ''))]
    .flatMap((code) => code.split('&&'))
    .map((code) => code.trim());
}

/** Where the links of a document lead, without those to other hosts. */
export function linksOf(text: string): string[] {
  const plain = text.replaceAll(FENCE, '').replaceAll(SPAN, 'code');
  return [...plain.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchors of a document's headings, as they are made for people who read it in a browser. */
export function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(FENCE, '').matchAll(/^#+ (.*)$/gm)].map((match) => match[1] ?? '');
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}
