// Control characters, separators that break lines, and everything a terminal draws as nothing or uses to turn text
// around: escape sequences, bidi controls, zero-width characters, tags. \p{DI} is Default_Ignorable_Code_Point.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** `text` as one line that is safe on a terminal: what would act on it is shown as an escape instead. */
export function sanitize(text: string): string {
  return text.replace(UNSAFE, (character) => NAMED.get(character) ?? escapeCharacter(character));
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\u{${hex(code, 1)}}` : `\\u${hex(code, 4)}`;
}

// Only what JSON.stringify lets through and a terminal would obey; inside JSON such a character can only stand in a
// string, where its escape means the same.
const UNSAFE_IN_JSON = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON of the same meaning without a raw character that a terminal would act on. */
export function sanitizeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (character) => {
    let escaped = '';
    for (let at = 0; at < character.length; at++) escaped += `\\u${hex(character.charCodeAt(at), 4)}`;
    return escaped;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
