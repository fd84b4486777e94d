import { type Oid, parseOid, parseRefName, type RefName } from '../../judge/facts/names.ts';

/** The heads of a remote, and its default branch. */
export interface RemoteHeads {
  readonly heads: ReadonlyMap<RefName, Oid>;
  readonly defaultBranch: RefName | null;
}

/** Reads `ls-remote --symref REMOTE HEAD refs/heads/*`; null when it is not of that form. */
export function parseLsRemote(output: Buffer): RemoteHeads | null {
  const heads = new Map<RefName, Oid>();
  let defaultBranch: RefName | null = null;
  for (const line of output.toString('latin1').split('\n')) {
    if (line === '') continue;
    const [what = '', name = ''] = line.split('\t');
    if (what.startsWith('ref: ') && name === 'HEAD') {
      defaultBranch = parseRefName(what.slice(5));
      continue;
    }
    const oid = parseOid(what);
    if (oid === null) return null;
    const ref = parseRefName(name);
    if (ref?.startsWith('refs/heads/')) heads.set(ref, oid);
  }
  return { heads, defaultBranch };
}
