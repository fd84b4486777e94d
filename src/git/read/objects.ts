/** Which objects there are, and which are reached from where. */
import { type Oid, parseOid } from '../../judge/facts/names.ts';
import { complaint, type Git, runGit } from '../run.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';

/** Those of `oids` that are here. */
export async function presentObjects(git: Git, oids: readonly Oid[]): Promise<Fact<ReadonlySet<Oid>>> {
  if (oids.length === 0) return known(new Set());
  const input = oids.map((oid) => `${oid}\n`).join('');
  const result = await runGit(git, ['cat-file', '--batch-check=%(objectname)'], { input });
  if (result.code !== 0 || result.cut !== null) return unknown(complaint(result));
  const lines = result.stdout.toString('latin1').split('\n').slice(0, -1);
  const here = new Set<Oid>();
  for (const [index, oid] of oids.entries()) {
    if (lines[index] === oid) here.add(oid);
    else if (lines[index] !== `${oid} missing`) return unknown('git told of objects in a form that is not known');
  }
  return lines.length === oids.length ? known(here) : unknown('git did not tell of all objects');
}

/** What is asked of git to walk from some commits to others. */
export function walkInput(from: readonly Oid[], not: readonly Oid[]): string {
  return [...from, ...not.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
}

/** All that `from` reaches and `not` does not. Unknown where something on the way is not here. */
export async function reachedObjects(
  git: Git,
  from: readonly Oid[],
  not: readonly Oid[],
): Promise<Fact<ReadonlySet<Oid>>> {
  if (from.length === 0) return known(new Set());
  const result = await runGit(git, ['rev-list', '--objects', '--no-object-names', '--stdin'], {
    input: walkInput(from, not),
  });
  if (result.code !== 0 || result.cut !== null) return unknown(complaint(result));
  return oidsOf(result.stdout.toString('latin1').split('\n').slice(0, -1));
}

/** True when all that `from` reaches is here, as far as no ref reaches it. */
export async function isWhole(git: Git, from: readonly Oid[]): Promise<boolean> {
  const args = ['rev-list', '--objects', '--quiet', '--stdin', '--not', '--all'];
  const result = await runGit(git, args, { input: walkInput(from, []) });
  return result.code === 0 && result.cut === null;
}

/** The objects that the index of a pack names. */
export async function packedObjects(git: Git, index: Buffer): Promise<Fact<ReadonlySet<Oid>>> {
  const result = await runGit(git, ['show-index'], { input: index });
  if (result.code !== 0 || result.cut !== null) return unknown(complaint(result));
  const lines = result.stdout.toString('latin1').split('\n').slice(0, -1);
  return oidsOf(lines.map((line) => line.split(' ')[1] ?? ''));
}

function oidsOf(lines: readonly string[]): Fact<ReadonlySet<Oid>> {
  const oids = new Set<Oid>();
  for (const line of lines) {
    const oid = parseOid(line);
    if (oid === null) return unknown('git listed objects in a form that is not known');
    oids.add(oid);
  }
  return known(oids);
}
