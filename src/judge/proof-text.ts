import { type Evidence, spent } from './evidence.ts';
import type { MergeFacts } from './facts/branch.ts';
import { type Oid, shortOid } from './facts/names.ts';
import type { Survey } from './facts/survey.ts';
import { baseName, count } from './holds/hold.ts';

/** The step of the ladder that held for this tip, in words, and how to see it. */
export function proofOf(merge: MergeFacts, tip: Oid, survey: Survey): Evidence | null {
  const { proof } = merge;
  if (proof === null || !merge.worked || survey.base.kind !== 'known') return null;
  const base = baseName(survey);
  const [first = survey.base.value.oid] = proof.commits;
  const list = proof.commits.map(shortOid);
  const show = `git show --stat ${proof.commits.slice(0, 8).join(' ')}`;
  switch (proof.code) {
    case 'ancestor':
      return spent(
        'ancestor',
        `merged into ${base} by ${shortOid(first)}`,
        `git merge-base --is-ancestor ${tip} ${survey.base.value.oid}`,
      );
    case 'landed':
      return spent('landed', `${base} held exactly its contents at ${shortOid(first)}`, addsNothingTo(first, tip));
    case 'squash-merged':
      return spent('squash-merged', `squashed into ${base} as ${shortOid(first)}`, addsNothingTo(first, tip));
    case 'rebase-merged':
      return spent('rebase-merged', `each commit is on ${base}: ${named(list)}`, show);
    case 'series-merged':
      return spent(
        'series-merged',
        `its commits are on ${base}, in ${count(list.length, 'part')}: ${named(list)}`,
        show,
      );
    case 'absorbed':
      return spent('absorbed', `merging it would add nothing to ${base}`, addsNothingTo(survey.base.value.oid, tip));
  }
}

/** git's own merge of the tip into that commit gives the commit's tree again. Needs git 2.38. */
function addsNothingTo(commit: Oid, tip: Oid): string {
  return `test "$(git merge-tree --write-tree ${commit} ${tip})" = "$(git rev-parse '${commit}^{tree}')" && echo nothing to add`;
}

function named(list: readonly string[]): string {
  return list.length <= 4 ? list.join(', ') : `${list[0]} … ${list.at(-1)} (${list.length})`;
}
