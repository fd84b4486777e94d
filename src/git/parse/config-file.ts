/**
 * The sections of one configuration file, by their bytes: what git's own commands would rewrite stays as it was typed.
 * Read as git reads it (config.c): a header may stand anywhere but in a value, a comment or a text in quotes.
 */

/** From its header to the next one; comments and empty lines before that belong to it, as for git. */
export interface Section {
  readonly start: number;
  readonly end: number;
  /** In lower case. */
  readonly name: string;
  /** What stands in quotes, without them; null: there is none. */
  readonly sub: string | null;
  /** The header as it is written. */
  readonly header: string;
}

const NAME = /[A-Za-z0-9.-]/;

/** @returns null: git itself would not read it. A byte string. */
export function sectionsOf(bytes: string): readonly Section[] | null {
  const sections: Section[] = [];
  for (let at = bytes.startsWith('\xef\xbb\xbf') ? 3 : 0; at < bytes.length; ) {
    const character = bytes[at] as string;
    if (character === '[') {
      const header = headerAt(bytes, at);
      if (header === null) return null;
      const start = lineStart(bytes, at);
      sections.push({ ...header, start, end: bytes.length });
      at += header.header.length;
    } else if (character === '#' || character === ';') {
      const end = bytes.indexOf('\n', at);
      at = end < 0 ? bytes.length : end;
    } else if (/[ \t\r\n\f\v]/.test(character)) {
      at += 1;
    } else {
      const end = endOfSetting(bytes, at);
      if (end === null) return null;
      at = end;
    }
  }
  return sections.map((section, index) => ({ ...section, end: sections[index + 1]?.start ?? section.end }));
}

/** Where the line begins, when nothing but spaces stands before `at`. */
function lineStart(bytes: string, at: number): number {
  const start = bytes.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*$/.test(bytes.slice(start, at)) ? start : at;
}

function headerAt(bytes: string, start: number): Pick<Section, 'name' | 'sub' | 'header'> | null {
  let at = start + 1;
  while (NAME.test(bytes[at] ?? '')) at += 1;
  const name = bytes.slice(start + 1, at).toLowerCase();
  if (bytes[at] === ']') {
    // The old form, in which a dot stands before the second part and case does not count.
    const dot = name.indexOf('.');
    const [first, sub] = dot < 0 ? [name, null] : [name.slice(0, dot), name.slice(dot + 1)];
    return { name: first, sub, header: bytes.slice(start, at + 1) };
  }
  while (bytes[at] === ' ' || bytes[at] === '\t') at += 1;
  if (bytes[at] !== '"') return null;
  let sub = '';
  for (at += 1; bytes[at] !== '"'; at += 1) {
    if (bytes[at] === '\\') at += 1;
    const character = bytes[at];
    if (character === undefined || character === '\n') return null;
    sub += character;
  }
  return bytes[at + 1] === ']' ? { name, sub, header: bytes.slice(start, at + 2) } : null;
}

/** After the line feed of a setting that begins at `start`, which may go on over lines; null: it is none. */
function endOfSetting(bytes: string, start: number): number | null {
  if (!/[A-Za-z]/.test(bytes[start] ?? '')) return null;
  let inQuotes = false;
  let inComment = false;
  for (let at = start; at < bytes.length; at += 1) {
    const character = bytes[at];
    if (character === '\n') return inQuotes ? null : at + 1;
    if (inComment) continue;
    if (character === '\\') at += bytes.startsWith('\r\n', at + 1) ? 2 : 1;
    else if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && (character === '#' || character === ';')) inComment = true;
  }
  return inQuotes ? null : bytes.length;
}

/** Whether it is about a branch of that name. The old form is in lower case, and then means that name only. */
export function isOfBranch({ name, sub }: Section, branch: string): boolean {
  return name === 'branch' && sub === branch;
}

/** Without these sections. */
export function withoutSections(bytes: string, gone: readonly Section[]): string {
  return [...gone]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), bytes);
}

/**
 * With a section of `was` in `bytes`, in which it is missing: behind the nearest one that stood before it and is still
 * there, so that what goes piece by piece comes back in any order as it was.
 * @param text what to put in, when it is not the section as it was.
 */
export function withSection(bytes: string, was: string, section: Section, text?: string): string | null {
  const [now, then] = [sectionsOf(bytes), sectionsOf(was)];
  if (now === null || then === null) return null;
  const before = then.filter(({ start }) => start < section.start);
  // Where none of them is there, all that is stood after it.
  let at = now[0]?.start ?? bytes.length;
  for (let index = before.length - 1; index >= 0; index -= 1) {
    const { header, start, end } = before[index] as Section;
    const twins = before.slice(0, index).filter((one) => one.header === header).length;
    const place = now.filter((one) => one.header === header).at(twins);
    if (place === undefined) continue;
    // Spaces before a header belong to it, unless what stood on their line is gone.
    const asItWas = place.start + (end - start);
    const isOnlyLonger =
      bytes.startsWith(was.slice(start, end), place.start) && /^\s*$/.test(bytes.slice(asItWas, place.end));
    at = isOnlyLonger ? asItWas : place.end;
    break;
  }
  const piece = text ?? was.slice(section.start, section.end);
  const [head, tail] = [bytes.slice(0, at), bytes.slice(at)];
  const opening = mayBeFollowed(head) ? '' : '\n';
  const closing = tail === '' || mayBeFollowed(piece) ? '' : '\n';
  return head + opening + piece + closing + tail;
}

/** A header may stand behind another one on its line, but not behind a setting. */
function mayBeFollowed(text: string): boolean {
  if (text === '' || text.endsWith('\n')) return true;
  const last = sectionsOf(text)?.at(-1);
  return last !== undefined && text.slice(last.start).trim() === last.header;
}
