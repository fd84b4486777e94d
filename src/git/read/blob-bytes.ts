import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Oid } from '../../judge/facts/names.ts';
import { complaint, type Git, runGit } from '../run.ts';

/** The bytes of blobs, whatever their size; unknown when one of them cannot be had. */
export async function readBlobBytes(git: Git, oids: readonly Oid[]): Promise<Fact<ReadonlyMap<Oid, Buffer>>> {
  const wanted = [...new Set(oids)];
  const blobs = new Map<Oid, Buffer>();
  if (wanted.length === 0) return known(blobs);
  const result = await runGit(git, ['cat-file', '--batch'], { input: wanted.map((oid) => `${oid}\n`).join('') });
  if (result.code !== 0 || result.cut !== null) return unknown(complaint(result));
  let at = 0;
  for (const oid of wanted) {
    const end = result.stdout.indexOf('\n', at);
    const [name, type, size] = result.stdout.toString('latin1', at, Math.max(at, end)).split(' ');
    const start = end + 1;
    at = start + Number(size) + 1;
    if (end < 0 || name !== oid || type !== 'blob' || !(at <= result.stdout.length))
      return unknown(`the blob ${oid} cannot be read`);
    blobs.set(oid, result.stdout.subarray(start, at - 1));
  }
  return known(blobs);
}
