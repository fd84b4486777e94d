/**
 * Byte strings (one latin1 character a byte) and text for people. Git knows names as bytes; only here do they become
 * characters.
 */

const HIGH = /[^\0-\x7f]/;
const NO_BYTE = /[^\0-\xff]+/g;

// Well-formed UTF-8 as latin1 characters (RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF), and,
// because it is tried last, every byte that belongs to no such sequence.
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|([\x80-\xff])/g;

/** The text of a byte string. Bytes that are no UTF-8 become `\xNN`. */
export function decodeBytes(bytes: string): string {
  if (!HIGH.test(bytes)) return bytes;
  // A text written in code may hold a character that is no byte; it stays what it is.
  const only = bytes.replace(NO_BYTE, encodeText);
  const shown = only.replace(SEQUENCE, (sequence, bad?: string) => (bad === undefined ? sequence : escapeByte(bad)));
  return Buffer.from(shown, 'latin1').toString('utf8');
}

/** The bytes of a text, as a byte string: the way back for what a person typed. */
export function encodeText(text: string): string {
  return HIGH.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** False when `decodeBytes` has to escape something, so that the text alone does not give the bytes back. */
export function isUtf8(bytes: string): boolean {
  if (!HIGH.test(bytes)) return true;
  for (const match of bytes.matchAll(SEQUENCE)) {
    if (match[1] !== undefined) return false;
  }
  return true;
}

/** The bytes themselves, in base64. */
export function base64OfBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('base64');
}

function escapeByte(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
