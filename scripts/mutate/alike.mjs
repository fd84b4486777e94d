/**
 * Mutants that no test can notice, since nothing else comes of them, and why. Each is named by its file and by what is
 * taken out; one that is not there any more is a mistake. A hold or a veto has no business here.
 */
const QUICK = 'only quicker: what follows gives the same';
const TYPES = 'never so: it is there for the compiler';

const ALIKE = {
  'src/judge/evidence.ts: if (evidence.length < 2) never': QUICK,
  'src/judge/graph/fork.ts: if (commits.every((commit) => commit.place >= 0)) never': QUICK,
  'src/judge/graph/graph.ts: if (known !== undefined) never': QUICK,
  'src/judge/graph/graph.ts: if (walked.has(commit)) never': QUICK,
  'src/judge/merged/absorbed.ts: if (entry.afterMode === 0 || base.mode === 0 || entry.beforeMode === 0) never':
    'the conditions below say no as well, since what is not there has no contents',
  'src/judge/merged/change.ts: if (changes.length === 1) never': QUICK,
  'src/judge/merged/diff.ts: if (x < 0) never': 'what lies outside of both files leads to no shorter way',
  'src/judge/merged/diff.ts: if (insert < 0 && remove < 0) never': 'twice -1, and one, is -1',
  'src/judge/merged/equal.ts: if (to === undefined) never': TYPES,
  'src/judge/merged/equal.ts: if (blobs.length === 0) never': QUICK,
  'src/judge/merged/ladder.ts: if (stands) never': 'where the base has it now, words take nothing away',
  "src/judge/merged/ladder.ts: if (along.relation.kind !== 'forked') never": TYPES,
  'src/judge/merged/landed.ts: if (common.length === 0) never': QUICK,
  'src/judge/merged/match.ts: if (never.length === change.length) never': QUICK,
  "src/judge/merged/match.ts: if ((yield* addsNothing([{ entry, base }])) === 'equal') never":
    'what has a change does not have what was before it',
  'src/judge/merged/series.ts: if (piece.length === 0) never': 'no commit of the base is found by changing nothing',
  'src/judge/merged/series.ts: if (change.length === 0) never': 'no commit of the base is found by changing nothing',
  'src/judge/merged/taken-back.ts: if (atTip(question, change).some((entry) => holdsAll([entry], question))) never':
    QUICK,
  'src/judge/merged/three-way.ts: if (apart !== null) never': QUICK,
  'src/judge/merged/three-way.ts: if (way.o === plain.o && way.t === plain.t) never': QUICK,
};

/** Their names. */
export const alike = new Set(Object.keys(ALIKE));
