/**
 * What a generated repository is like. Shares are of the branches; weights are relative.
 *
 * Kinds that are merged: `squash`, `rebase`, `merge` (--no-ff), `ff`. Kinds to keep: `unmerged`; `partial` (its first
 * commit was cherry-picked); `respaced` (on main with other white space only); `reverted` (squashed, then taken back);
 * `fresh` (no commit of its own).
 */

/** Short files and branches of three commits, quick to make in any size. */
export function mixed(branches, commits = 2 * branches) {
  return {
    name: 'mixed',
    branches,
    mainCommits: commits,
    countSideCommits: false,
    files: Math.max(150, Math.ceil(branches * 0.15)),
    depth: 2,
    lines: ({ between }) => between(60, 180),
    hot: 0,
    newLines: ({ between }) => between(10, 40),
    kinds: { squash: 0.4, rebase: 0.2, merge: 0.15, ff: 0.05, partial: 0.05, unmerged: 0.15 },
    branchCommits: () => 3,
    filesPerCommit: ({ between }) => between(1, 2),
    hunksPerFile: ({ between }) => between(1, 2),
    lag: [1, 25],
    updates: 0,
    ops: { edit: 0.9, create: 0.1 },
    sideMerges: 0,
    head: 0,
  };
}

/** The life of one mid-sized project: long files, nested folders, renames, binaries, merges both ways, traps. */
export function realistic(branches = 300, commits = 5000) {
  return {
    name: 'realistic',
    branches,
    mainCommits: commits,
    countSideCommits: true,
    files: 450,
    depth: 5,
    lines: (random) => doubled(random.between(15, 60), random, 7),
    hot: 0.3,
    newLines: (random) => doubled(random.between(8, 40), random, 5),
    kinds: {
      squash: 0.45,
      rebase: 0.15,
      merge: 0.12,
      ff: 0.03,
      unmerged: 0.12,
      partial: 0.05,
      respaced: 0.03,
      reverted: 0.03,
      fresh: 0.02,
    },
    branchCommits: (random) => Math.min(12, doubled(random.between(1, 3), random, 2)),
    filesPerCommit: (random) => doubled(random.between(1, 2), random, 2),
    hunksPerFile: ({ between }) => between(1, 2),
    lag: [1, 5],
    updates: 0.35,
    ops: { edit: 0.87, create: 0.06, binary: 0.02, rename: 0.025, delete: 0.02, mode: 0.005 },
    sideMerges: 0.15,
    head: 0.3,
  };
}

/** Most stay as they are, half double, a quarter double twice: few are very long, as in real projects. */
function doubled(value, random, most) {
  let result = value;
  for (let round = 0; round < most && random.chance(0.5); round += 1) result *= 2;
  return result;
}
