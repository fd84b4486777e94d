/** What refs stand for right now, and whether a worktree names them. */
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { type AbsPath, type Oid, parseOid, parseRefName, type RefName } from '../../judge/facts/names.ts';
import { readBounded } from '../../system/files.ts';
import { complaint, type Git, runGit } from '../run.ts';
import { readBranchUses } from './checkouts.ts';

export type Tips = ReadonlyMap<RefName, Oid>;

/** All refs below these folders. */
export async function readTips(git: Git, ...below: readonly string[]): Promise<Fact<Tips>> {
  const result = await runGit(git, ['for-each-ref', '--format=%(objectname) %(refname)', ...below]);
  if (result.code !== 0 || result.cut !== null) return unknown(`the refs could not be read: ${complaint(result)}`);
  const tips = new Map<RefName, Oid>();
  const text = result.stdout.toString('latin1');
  if (text !== '' && !text.endsWith('\n')) return unknown('git did not list all refs');
  for (const line of text.split('\n').slice(0, -1)) {
    const at = line.indexOf(' ');
    const [oid, ref] = [parseOid(line.slice(0, at)), parseRefName(line.slice(at + 1))];
    if (oid === null || ref === null) return unknown('git listed a ref in a form that is not known');
    tips.set(ref, oid);
  }
  return known(tips);
}

/** What one ref stands for, also when git cannot read what is there. */
export function tipOf(tips: Fact<Tips>, ref: RefName): Fact<Oid> {
  if (tips.kind !== 'known') return tips;
  const oid = tips.value.get(ref);
  return oid === undefined ? absent : known(oid);
}

const MOST_LINKS = 5;

/** The branches that worktrees name by what they have checked out, rebase or bisect, from their files alone. */
export function usedBranches(commonDir: AbsPath): Fact<ReadonlySet<RefName>> {
  const uses = readBranchUses(commonDir);
  if (uses.kind !== 'known') return uses;
  const used = new Set<RefName>();
  for (const { branch } of uses.value) {
    // A branch can be another name of one.
    for (let at: RefName | null = branch, step = 0; at !== null && step < MOST_LINKS; step += 1) {
      used.add(at);
      const text = readBounded(Buffer.from(`${commonDir}/${at}`, 'latin1'), 4096, { follow: true });
      const content: string = text.kind === 'known' ? text.value.toString('latin1') : '';
      at = content.startsWith('ref: ') ? parseRefName(content.slice(5).trimEnd()) : null;
    }
  }
  return known(used);
}
