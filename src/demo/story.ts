import { createHistory, withFile, type Commit, type Files } from './history.ts';
import type { DemoBranch } from './leftovers.ts';

/** Where a branch began and where it is now; a fresh one has not moved. */
interface Span {
  readonly fork: Commit;
  readonly tip: Commit;
}

export interface Story {
  readonly stream: string;
  readonly branches: readonly (Span & { readonly name: DemoBranch })[];
  /** Where `feature/wip` was when it was pushed. */
  readonly pushed: Commit;
  /** The remote's main, and the local one, which is a merge further. */
  readonly main: Commit;
  readonly localMain: Commit;
}

const TOPICS = [
  'login',
  'search',
  'moved',
  'export',
  'api',
  'typo',
  'parser',
  'printer',
  'partly',
  'wip',
  'reverted',
  'in-use',
  'local',
  'undone',
];

/** What happened in the throw-away repository. Every topic has its own file, so that none touches another. */
export function tellStory(): Story {
  const history = createHistory();
  const branches: (Span & { name: DemoBranch })[] = [];
  const start = history.commit('Begin', new Map(TOPICS.map((topic) => [fileOf(topic), pageOf(topic)])), []);
  let main = start;

  const onMain = (message: string, change: (files: Files) => Files): void => {
    main = history.commit(message, change(main.files), [main]);
  };
  const work = (from: Commit, topic: string, line: number): Commit =>
    history.commit(`Work on ${topic}, line ${line}`, rewrite(from.files, topic, line), [from]);
  const branch = (name: DemoBranch, topic: string, lines: readonly number[], fork = start): Span => {
    const span = { fork, tip: lines.reduce((from, line) => work(from, topic, line), fork) };
    branches.push({ name, ...span });
    return span;
  };
  const squash = (topic: string, lines: readonly number[]): void =>
    onMain(`Finish ${topic} (squashed)`, (files) => lines.reduce((all, line) => rewrite(all, topic, line), files));

  branch('feature/login', 'login', [5, 20]);
  squash('login', [5, 20]);

  branch('feature/search', 'search', [3, 30]);
  squash('search', [3, 30]);
  onMain('Search again', (files) => withFile(files, fileOf('search'), (lines) => lines.splice(2, 1, 'search, better')));

  branch('fix/moved-lines', 'moved', [20]);
  onMain('Room above', (files) =>
    withFile(files, fileOf('moved'), (lines) => lines.splice(17, 0, 'one more', 'and one more')),
  );
  onMain('Finish moved (squashed)', (files) =>
    withFile(files, fileOf('moved'), (lines) => lines.splice(lines.indexOf('moved line 20'), 1, 'moved line 20, done')),
  );

  branch('feature/export', 'export', [4, 25]);
  for (const line of [4, 25]) onMain(`Work on export, line ${line}`, (files) => rewrite(files, 'export', line));

  const api = branch('feature/api', 'api', [8, 16]);
  main = history.commit('Merge feature/api', joined(main.files, api.tip.files, 'api'), [main, api.tip]);

  main = branch('fix/typo', 'typo', [1], main).tip;
  branches.push({ name: 'develop', fork: start, tip: main });

  const parser = branch('stack/parser', 'parser', [6]);
  branches.push({ name: 'stack/printer', fork: parser.fork, tip: work(parser.tip, 'printer', 7) });
  squash('parser', [6]);
  squash('printer', [7]);

  branch('feature/partly', 'partly', [2, 33]);
  onMain('Work on partly, line 2', (files) => rewrite(files, 'partly', 2));

  const wip = branch('feature/wip', 'wip', [10]);
  const pushed = wip.tip;
  branches.splice(-1, 1, { name: 'feature/wip', fork: start, tip: work(pushed, 'wip', 11) });

  branch('feature/reverted', 'reverted', [12]);
  squash('reverted', [12]);
  onMain('Revert "Finish reverted (squashed)"', (files) => new Map(files).set(fileOf('reverted'), pageOf('reverted')));

  branch('feature/in-use', 'in-use', [9]);
  squash('in-use', [9]);

  const undone = work(start, 'undone', 14);
  branches.push({ name: 'chore/undone', fork: start, tip: history.commit('Undo it', start.files, [undone]) });
  branches.push({ name: 'idea/fresh', fork: main, tip: main });

  const local = branch('feature/local-only', 'local', [15]);
  const localMain = history.commit('Merge feature/local-only', joined(main.files, local.tip.files, 'local'), [
    main,
    local.tip,
  ]);

  for (const { name, fork, tip } of branches) {
    history.ref(forkRef(name), fork);
    history.ref(tipRef(name), tip);
  }
  for (const [name, commit] of Object.entries({ main, localMain, pushed })) history.ref(`refs/demo/${name}`, commit);
  return { stream: history.stream(), branches, pushed, main, localMain };
}

/** Where the stream leaves a branch's first commit, and its tip, until the branch is made. */
export function forkRef(branch: DemoBranch): string {
  return `refs/demo/fork/${branch}`;
}

export function tipRef(branch: DemoBranch): string {
  return `refs/demo/tip/${branch}`;
}

function fileOf(topic: string): string {
  return `src/${topic}.txt`;
}

function pageOf(topic: string): string {
  return `${Array.from({ length: 40 }, (_, at) => `${topic} line ${at + 1}`).join('\n')}\n`;
}

function rewrite(files: Files, topic: string, line: number): Files {
  return withFile(files, fileOf(topic), (lines) => lines.splice(line - 1, 1, `${topic} line ${line}, done`));
}

function joined(ours: Files, theirs: Files, topic: string): Files {
  return new Map(ours).set(fileOf(topic), theirs.get(fileOf(topic)) ?? '');
}
