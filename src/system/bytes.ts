/** A native string as the byte string of its UTF-8. */
export function toByteString(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A byte string as the native string that it is the UTF-8 of. */
export function toNative(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** A byte string as a path that Node takes: the same bytes. */
export function nativePath(bytes: string): string | Buffer {
  // Most paths are ASCII, and Node is quicker with those as strings.
  return /^[\x00-\x7f]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1');
}
