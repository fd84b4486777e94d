/**
 * Byte strings in JSON: UTF-8 stands as the text it is, and a byte that belongs to none as one half of a surrogate pair
 * (U+DC80 to U+DCFF), which no text has by itself. So every name comes back as it was, and the file stays JSON.
 */
import { isUtf8 } from 'node:buffer';

const HIGH = /[^\x00-\x7f]/;
const WELL_FORMED =
  /[\x00-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|([\x80-\xff])/g;

/** A byte string as a file has it. */
export function toWritten(bytes: string): string {
  if (!HIGH.test(bytes)) return bytes;
  const whole = Buffer.from(bytes, 'latin1');
  if (isUtf8(whole)) return whole.toString('utf8');
  return bytes.replace(WELL_FORMED, (part, lone?: string) =>
    lone === undefined
      ? Buffer.from(part, 'latin1').toString('utf8')
      : String.fromCharCode(0xdc00 + lone.charCodeAt(0)),
  );
}

/** The byte string that was written so; null when it is nothing that is written. */
export function fromWritten(text: string): string | null {
  if (!HIGH.test(text)) return text;
  let bytes = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0xd800 || code > 0xdfff) bytes += Buffer.from(character, 'utf8').toString('latin1');
    else if (code >= 0xdc80 && code <= 0xdcff) bytes += String.fromCharCode(code - 0xdc00);
    else return null;
  }
  // Bytes that are UTF-8 together are written as such, so that one name has one form.
  return toWritten(bytes) === text ? bytes : null;
}
