const LONGEST = 80;

/** A text in double quotes for a message: control, bidi and other invisible characters escaped, long ones cut. */
export function quote(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const escaped = cut.replace(/["\\]/g, '\\$&').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeOne);
  return `"${escaped}"`;
}

function escapeOne(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A value of a settings file for a message, in TOML's own words where it is short. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) {
    const shown = value.slice(0, 5).map(showValue);
    return `[${[...shown, ...(value.length > 5 ? ['…'] : [])].join(', ')}]`;
  }
  if (value instanceof Date) return 'a date';
  if (typeof value === 'object' && value !== null) return 'a table';
  return String(value);
}
