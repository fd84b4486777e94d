/** How much two texts share at their ends. A block at a time, which is quicker than byte by byte. */

const BLOCK = 256;

/** Bytes that both begin with, `most` at most; neither is shorter than that. */
export function samePrefix(a: string, b: string, most: number): number {
  let at = 0;
  while (at + BLOCK <= most && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) at += BLOCK;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Bytes that both end with, `most` at most; neither is shorter than that. */
export function sameSuffix(a: string, b: string, most: number): number {
  let length = 0;
  const tail = (text: string) => text.slice(text.length - length - BLOCK, text.length - length);
  while (length + BLOCK <= most && tail(a) === tail(b)) length += BLOCK;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  return length;
}
