/** Links lead somewhere, and files that the documents name are there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, codeOf, DOCUMENTS, linksOf, read, ROOT } from './documents.ts';

test('there are documents', () => {
  expect(DOCUMENTS).toEqual(
    expect.arrayContaining(['AGENTS.md', 'README.md', 'docs/holds.md', 'docs/decisions/README.md']),
  );
});

test('links and anchors are seen', () => {
  const text = '# One `two`, three\n\nSee [this](a.md#x) and [`that`](b/c.md).\n```text\n[not](this.md)\n```\n';
  expect(linksOf(text)).toEqual(['a.md#x', 'b/c.md']);
  expect(anchorsOf(text)).toEqual(['one-two-three']);
});

describe.each(DOCUMENTS)('%s', (document) => {
  test('links to what is there', () => {
    expect(linksOf(read(document)).filter((link) => !leadsSomewhere(document, link))).toEqual([]);
  });

  test('names files that are there', () => {
    expect(
      codeOf(read(document))
        .filter(isFile)
        .filter((path) => !existsSync(join(ROOT, path))),
    ).toEqual([]);
  });
});

test('every page is reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const document of reached) {
    for (const link of linksOf(read(document))) {
      const path = join(dirname(document), link.replace(/#.*$/, ''));
      if (DOCUMENTS.includes(path)) reached.add(path);
    }
  }
  expect(DOCUMENTS.filter((document) => !reached.has(document))).toEqual([]);
});

function leadsSomewhere(document: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? document : join(dirname(document), file);
  if (!existsSync(join(ROOT, path))) return false;
  return anchor === undefined || (path.endsWith('.md') && anchorsOf(read(path)).includes(anchor));
}

/** Code that is a path of this project and no pattern. */
function isFile(code: string): boolean {
  return /^(?:src|test|docs|scripts|schema|bench|\.ci)\/[\w./-]+$/.test(code) && !/[A-Z]{4}/.test(code);
}
