import fastStringWidth from 'fast-string-width';

/** Columns that `text` takes on a terminal. */
export function textWidth(text: string): number {
  return fastStringWidth(text);
}

/** `text` with spaces up to `width` columns. */
export function padText(text: string, width: number): string {
  const missing = width - textWidth(text);
  return missing > 0 ? text + ' '.repeat(missing) : text;
}

/** `text` in at most `width` columns: the end goes. */
export function cutEnd(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return width < 1 ? '' : `${takeStart(graphemes(text), width - 1)}…`;
}

/** A name in at most `width` columns: the middle goes, because names differ at both ends. */
export function cutMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width < 4) return cutEnd(text, width);
  const parts = graphemes(text);
  const tail = Math.floor((width - 1) / 2);
  return `${takeStart(parts, width - 1 - tail)}…${takeEnd(parts, tail)}`;
}

/** Lines of at most `width` columns, broken at spaces; a word that is longer stands alone, unbroken. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function graphemes(text: string): string[] {
  return Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
}

function takeStart(parts: readonly string[], width: number): string {
  let taken = '';
  let left = width;
  for (const part of parts) {
    left -= textWidth(part);
    if (left < 0) break;
    taken += part;
  }
  return taken;
}

function takeEnd(parts: readonly string[], width: number): string {
  let taken = '';
  let left = width;
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at] ?? '';
    left -= textWidth(part);
    if (left < 0) break;
    taken = part + taken;
  }
  return taken;
}
