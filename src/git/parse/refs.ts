import { type Oid, parseOid, parseRefName, type RefName } from '../../judge/facts/names.ts';

/** A ref as git lists it. */
export interface Ref {
  readonly name: RefName;
  readonly oid: Oid;
  /** What a symbolic ref points to. */
  readonly symbolic: RefName | null;
  /** The configured upstream of a branch, whether it is there or not. */
  readonly upstream: RefName | null;
}

/** The format that `parseRefs` reads; the two must not drift apart. No ref name holds a line feed. */
export const REF_FORMAT = '%(refname)%00%(objectname)%00%(symref)%00%(upstream)';

/** Reads `for-each-ref --format=REF_FORMAT`; null when it is not of that form. */
export function parseRefs(output: Buffer): Ref[] | null {
  const refs: Ref[] = [];
  for (const line of output.toString('latin1').split('\n')) {
    if (line === '') continue;
    const [name = '', id = '', symbolic = '', upstream = '', more] = line.split('\0');
    const ref = parseRefName(name);
    const oid = parseOid(id);
    if (ref === null || oid === null || more !== undefined) return null;
    refs.push({ name: ref, oid, symbolic: parseRefName(symbolic), upstream: parseRefName(upstream) });
  }
  return refs;
}
