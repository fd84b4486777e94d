import { DEMO_PERSON, DEMO_START } from './history.ts';
import { demoRepository } from './leftovers.ts';
import { forkRef, tellStory, tipRef } from './story.ts';

/** Runs git in a folder, with these variables on top, and gives its output; throws when git does not succeed. */
export type DemoGit = (
  cwd: string,
  args: readonly string[],
  env: Record<string, string>,
  input?: string,
) => Promise<string>;

// Nothing of the user's configuration (signing, templates, hooks, URL rewriting) reaches the throw-away repository.
const ENV = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: DEMO_PERSON.name,
  GIT_AUTHOR_EMAIL: DEMO_PERSON.email,
  GIT_COMMITTER_NAME: DEMO_PERSON.name,
  GIT_COMMITTER_EMAIL: DEMO_PERSON.email,
  GIT_AUTHOR_DATE: `${DEMO_START + 86_400} +0000`,
  GIT_COMMITTER_DATE: `${DEMO_START + 86_400} +0000`,
};

/** Fills an empty `folder`: the repository `app`, its remote `origin.git` beside it, and a linked worktree. */
export async function buildDemo(git: DemoGit, folder: string): Promise<void> {
  const app = demoRepository(folder);
  const { stream, branches } = tellStory();
  const run = (args: readonly string[], input?: string): Promise<string> => git(app, args, ENV, input);
  const move = (message: string, lines: readonly string[]): Promise<string> =>
    run(['update-ref', '--create-reflog', '-m', message, '--stdin'], `${lines.join('\n')}\n`);

  const init = ['init', '--quiet', '--template=', '--initial-branch=main'];
  await git(folder, [...init, '--bare', 'origin.git'], ENV);
  await git(folder, [...init, 'app'], ENV);
  await run(['fast-import', '--quiet', '--done'], stream);

  // Two steps, so that the reflogs tell what reflogs tell: a branch was created, then committed to.
  await move('branch: Created from main', [
    'create refs/heads/main refs/demo/main',
    ...branches.map(({ name }) => `create refs/heads/${name} ${forkRef(name)}`),
  ]);
  const moved = branches.filter(({ fork, tip }) => fork !== tip);
  await move('commit: Work', ['update refs/heads/feature/wip refs/demo/pushed']);
  await run(['remote', 'add', 'origin', `${folder}/origin.git`]);
  await run(['push', '--quiet', '--set-upstream', 'origin', 'refs/heads/main', 'refs/heads/feature/wip']);
  await run(['remote', 'set-head', 'origin', 'main']);
  await move(
    'commit: Work',
    moved.map(({ name }) => `update refs/heads/${name} ${tipRef(name)}`),
  );
  await move("merge feature/local-only: Merge made by the 'ort' strategy.", [
    'update refs/heads/main refs/demo/localMain',
    ...branches.flatMap(({ name }) => [`delete ${forkRef(name)}`, `delete ${tipRef(name)}`]),
    ...['main', 'localMain', 'pushed', 'scratch'].map((name) => `delete refs/demo/${name}`),
  ]);

  await run(['reset', '--quiet', '--hard']);
  await run(['worktree', 'add', '--quiet', `${folder}/app.worktrees/in-use`, 'feature/in-use']);
}
