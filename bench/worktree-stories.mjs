/** What becomes of a branch between its first commit and its landing. */

/** Of finished branches: nothing is left of any that main has not. Some leave replaced commits in the reflog. */
export const STORIES = {
  plain: () => undefined,
  amended(project, { path }, owner) {
    project.addCommit(path, owner, 'Reword', '--amend');
    project.git(path, ['commit', '-q', '--amend', '-m', 'Reword again']);
  },
  rebased(project, { path }) {
    project.git(path, ['rebase', '-q', 'origin/main']);
  },
  'amended, rebased'(project, tree, owner) {
    STORIES.amended(project, tree, owner);
    STORIES.rebased(project, tree);
  },
  'fixup squashed'(project, { path }, owner) {
    project.git(path, ['push', '-q', 'origin', 'HEAD']);
    project.addCommit(path, owner, 'fixup! The last');
    const sequence = 'sequence.editor=sed -i "2,$ s/^pick/fixup/"';
    project.git(path, ['-c', sequence, 'rebase', '-q', '-i', 'origin/main']);
  },
  'soft reset'(project, { path }) {
    const base = project.git(path, ['merge-base', 'HEAD', 'origin/main']);
    project.git(path, ['reset', '-q', '--soft', base]);
    project.git(path, ['commit', '-q', '-m', 'All of it at once']);
  },
  'main merged in'(project, { path }, owner) {
    project.git(path, ['merge', '-q', '--no-edit', 'origin/main']);
    project.addCommit(path, owner);
  },
  'work put aside'(project, { path }, owner) {
    project.edit(path, owner);
    project.git(path, ['stash', '-q']);
    project.git(path, ['stash', 'pop', '-q']);
    project.commit(path, 'What was put aside');
  },
};

const LANDINGS = ['squash', 'rebase', 'squash', 'merge'];

/** Branches that were worked on at the same time: some while main moved, and all landed one after another. */
export function finish(project, trees, { random, first }) {
  const stories = Object.keys(STORIES);
  for (const [index, tree] of trees.entries()) {
    const at = first + index;
    tree.owner = at;
    tree.story = stories[at % stories.length];
    for (let count = random.between(1, 3); count > 0; count -= 1) project.addCommit(tree.path, at);
  }
  project.mainMoves();
  for (const [index, tree] of trees.entries()) {
    STORIES[tree.story](project, tree, tree.owner);
    const landing = LANDINGS[(first + index + Math.floor((first + index) / stories.length)) % LANDINGS.length];
    // A forge refuses to rebase what holds merges.
    tree.landing = landing === 'rebase' && tree.story === 'main merged in' ? 'squash' : landing;
  }
  for (const tree of random.shuffle([...trees])) project.land(tree, tree.landing);
  project.fetch();
}

/** What people do with a worktree after its branch was squashed and landed, and ways of work that leave traces. */
export const AFTER = {
  'soft reset, then more edits in the same commit': {
    before(project, { path }, owner) {
      project.git(path, ['reset', '-q', '--soft', 'HEAD~1']);
      project.edit(path, owner);
      project.commit(path, 'Made again');
    },
  },
  'parked on main, its branch is there': {
    after: (project, { path }) => project.git(path, ['switch', '-q', '--detach', 'origin/main']),
  },
  'parked on main, its branch was deleted': {
    after(project, { path, branch }) {
      project.git(path, ['switch', '-q', '--detach', 'origin/main']);
      project.git(path, ['branch', '-q', '-D', branch]);
    },
  },
  'reset to main after the landing': {
    after: (project, { path }) => project.git(path, ['reset', '-q', '--hard', 'origin/main']),
  },
  'rebased onto main after the landing': {
    after: (project, { path }) => project.git(path, ['rebase', '-q', 'origin/main']),
  },
  'main merged in after the landing': {
    after: (project, { path }) => project.git(path, ['merge', '-q', '--no-edit', 'origin/main']),
  },
  'detached at its tip': { after: (project, { path }) => project.git(path, ['switch', '-q', '--detach']) },
  'its branch was renamed': {
    after: (project, { path, branch }) => project.git(path, ['branch', '-m', `${branch}-2`]),
  },
};
