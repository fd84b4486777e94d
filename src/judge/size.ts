/** Sizes in words, for people. */

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1.4 GiB`. */
export function sizeWords(bytes: number): string {
  let left = bytes;
  let unit = 0;
  while (left >= 1024 && unit < SIZES.length - 1) {
    left /= 1024;
    unit += 1;
  }
  return `${unit === 0 || left >= 100 ? Math.round(left) : left.toFixed(1)} ${SIZES[unit]}`;
}
