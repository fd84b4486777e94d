/**
 * Names as git has them: bytes. A byte string holds one byte a character (latin1), so that no name is ever changed by
 * a decoder; `render` decodes for people. Each branded type is minted by its one parser here.
 */
declare const brand: unique symbol;
type Branded<Text extends string> = string & { readonly [brand]: Text };

/** A full object id: 40 (SHA-1) or 64 (SHA-256) lower-case hex digits. */
export type Oid = Branded<'oid'>;
/** A full ref name, such as `refs/heads/x`, as a byte string. */
export type RefName = Branded<'ref'>;
/** An absolute path, as a byte string. */
export type AbsPath = Branded<'path'>;

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The object id in `text`, or null when it is none. */
export function parseOid(text: string): Oid | null {
  return OID.test(text) ? (text as Oid) : null;
}

const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//;

/** The full ref name in `text`, or null when it is none: it must lie below `refs/` and hold no byte git forbids. */
export function parseRefName(text: string): RefName | null {
  if (!text.startsWith('refs/') || text.endsWith('/') || text.endsWith('.') || FORBIDDEN.test(text)) return null;
  return text as RefName;
}

/** The absolute path in `text`, or null when it is relative or holds a NUL byte. */
export function parseAbsPath(text: string): AbsPath | null {
  return text.startsWith('/') && !text.includes('\0') ? (text as AbsPath) : null;
}

const HEADS = 'refs/heads/';

/** True for a local branch. */
export function isBranch(ref: RefName): boolean {
  return ref.startsWith(HEADS);
}

/** The branch's name without `refs/heads/`; other refs keep their full name. */
export function branchName(ref: RefName): string {
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref;
}

/** Twelve digits of an id: enough for people; programs get the whole. */
export function shortOid(oid: Oid): string {
  return oid.slice(0, 12);
}
