/** Lines of a file's bytes, and sums over them. Contents are byte strings; a line keeps its line feed. */

/** The lines of `text`, each with its line feed; a last line without one is a line of its own kind. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

/** True when git would treat the contents as binary: a NUL among the first 8,000 bytes. */
export function isBinary(text: string): boolean {
  const at = text.indexOf('\0');
  return at >= 0 && at < 8000;
}

/**
 * A number for the multiset of lines in `text`. The difference of two sums names the lines that a change adds and
 * takes away, wherever in the file they stand: a change and its replay elsewhere have the same difference. It only
 * nominates; two different changes may share one.
 */
export function lineSum(text: string): number {
  let sum = 0;
  let hash = 0x811c9dc5;
  let open = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text.charCodeAt(at);
    hash = Math.imul(hash ^ byte, 0x01000193);
    open = true;
    if (byte === 10) {
      sum = (sum + mix(hash)) % MODULUS;
      hash = 0x811c9dc5;
      open = false;
    }
  }
  if (open) sum = (sum + mix(hash)) % MODULUS;
  return sum;
}

const MODULUS = 2 ** 48;

/** Spreads a 32-bit hash over 48 bits, so that sums of few lines seldom meet. */
function mix(hash: number): number {
  const high = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 16;
  return high * 2 ** 32 + (Math.imul(hash ^ (hash >>> 13), 0x297a2d39) >>> 0);
}

/** What a change does to the multiset of lines: equal for a change and its replay. */
export function sumDifference(before: number, after: number): number {
  return (after - before + MODULUS) % MODULUS;
}
