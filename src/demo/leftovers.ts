/** One branch of the throw-away repository. */
export interface DemoLeftover {
  readonly branch: string;
  readonly what: string;
}

/** What the throw-away repository holds. */
export const DEMO_LEFTOVERS = [
  { branch: 'feature/login', what: 'squash-merged' },
  { branch: 'feature/search', what: 'squash-merged, and main edited the same lines later' },
  { branch: 'fix/moved-lines', what: 'squash-merged where main had moved the lines around it' },
  { branch: 'feature/export', what: 'rebase-merged, commit by commit' },
  { branch: 'feature/api', what: 'merged with a merge commit' },
  { branch: 'fix/typo', what: 'merged by a fast-forward' },
  { branch: 'stack/parser', what: 'the lower half of a stack, squash-merged' },
  { branch: 'stack/printer', what: 'the upper half, squash-merged as its own commit' },
  { branch: 'feature/partly', what: 'one of its two commits was picked to main' },
  { branch: 'feature/wip', what: 'pushed, not merged, and one commit further than its upstream' },
  { branch: 'feature/reverted', what: 'squash-merged, and reverted later' },
  { branch: 'feature/in-use', what: 'squash-merged, but a linked worktree uses it' },
  { branch: 'feature/local-only', what: 'merged into the local main only, which was not pushed' },
  { branch: 'idea/fresh', what: 'just created, nothing committed' },
  { branch: 'chore/undone', what: 'two commits that undo each other' },
  { branch: 'develop', what: 'merged, but protected by its name' },
] as const satisfies readonly DemoLeftover[];

export type DemoBranch = (typeof DEMO_LEFTOVERS)[number]['branch'];

/** The repository to sweep, in the folder that `buildDemo` filled. */
export function demoRepository(folder: string): string {
  return `${folder}/app`;
}
