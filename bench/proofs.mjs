import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readMarks } from './git.mjs';

/**
 * Gives each merged branch its `proof`: what content can tell of it. git's own merges are the judge, made in a throw-away
 * repository: of a squashed branch into the commit before its landing; of each rebased commit, as a cherry-pick makes
 * it, onto the parent of the commit that it became. A merge has to give exactly the tree that landed.
 */
export async function prove({ git, scratch, objects, truth }) {
  for (const branch of truth) branch.proof = branch.merged ? 'content' : null;
  for (const branch of truth) if (branch.kind === 'ff') branch.proof = 'none';
  if (!truth.some(({ kind }) => kind === 'squash' || kind === 'rebase')) return;

  const extra = { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const inScratch = (args, input) => git(args, { cwd: scratch, extra, input });
  await git(['init', '--quiet', '--bare', scratch]);
  try {
    const merges = [...squashes(truth), ...(await replays(inScratch, scratch, truth))];
    const landed = await treesOf(
      inScratch,
      merges.map(({ into }) => into),
    );
    const results = await inScratch(
      ['-c', 'core.compression=0', 'merge-tree', '--write-tree', '--no-messages', '--stdin'],
      merges.map(({ ours, theirs }) => `${ours} ${theirs}`),
    ).then(readMerges, () => null);
    for (const [index, { branch }] of merges.entries()) {
      if (results === null) branch.proof = 'unknown';
      else if (results[index] !== landed[index]) branch.proof = 'unclean';
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function squashes(truth) {
  return truth
    .filter(({ kind }) => kind === 'squash')
    .map((branch) => ({ branch, ours: `${branch.first}^`, theirs: branch.tip, into: branch.last }));
}

/** A cherry-pick as a merge, for a git that cannot be told a merge base: of two commits made up on one made up for it. */
async function replays(inScratch, scratch, truth) {
  const pairs = truth.flatMap((branch) => branch.replays.map(([picked, landed]) => ({ branch, picked, landed })));
  if (pairs.length === 0) return [];
  const trees = await treesOf(
    inScratch,
    pairs.flatMap(({ picked, landed }) => [`${picked}^`, `${landed}^`, picked]),
  );
  const marks = join(scratch, 'bench-marks');
  await inScratch(['fast-import', '--quiet', '--done', '--force', `--export-marks=${marks}`], standIns(trees));
  const oids = readMarks(marks);
  return pairs.map(({ branch, landed }, index) => {
    const [ours, theirs] = [3 * index + 2, 3 * index + 3].map((mark) => oids.get(mark));
    return { branch, ours, theirs, into: landed };
  });
}

/** For every three trees a commit of the first, and on top of it one of the second and one of the third. */
function* standIns(trees) {
  for (const [index, tree] of trees.entries()) {
    const mark = index + 1;
    const base = mark - (index % 3);
    const parent = mark === base ? '' : `from :${base}\n`;
    const commit = `commit refs/heads/x\nmark :${mark}\ncommitter x <x@example.org> 0 +0000\ndata 0\n`;
    yield `${mark === base ? 'reset refs/heads/x\n' : ''}${commit}${parent}M 040000 ${tree} ""\n\n`;
  }
  yield 'done\n';
}

async function treesOf(inScratch, commits) {
  const names = commits.map((commit) => `${commit}^{tree}`);
  return (await inScratch(['cat-file', '--batch-check=%(objectname)'], names)).trimEnd().split('\n');
}

/** The tree of each merge, or null where it conflicts. */
function readMerges(output) {
  const results = [];
  const fields = output.split('\0');
  for (let at = 0; at + 2 < fields.length; at += 1) {
    results.push(fields[at] === '1' ? fields[at + 1] : null);
    for (at += 2; fields[at] !== ''; at += 1); // the conflicts, up to an empty field
  }
  return results;
}
