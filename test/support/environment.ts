/**
 * The surroundings of every program that a test starts. They are made from nothing: what the person or the machine
 * that runs the tests has set reaches neither git nor coppice.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string>>;

/** The folders of one test, all below one temporary folder. */
export interface Places {
  /** Holds all the others. */
  readonly root: string;
  /** The home folder: empty. */
  readonly home: string;
  /** COPPICE_HOME: not made, since a dry run must not need it. */
  readonly coppiceHome: string;
  /** COPPICE_CACHE. */
  readonly cache: string;
}

/** Names the places below `root` and makes the home folder. */
export function placesIn(root: string): Places {
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  return { root, home, coppiceHome: join(root, 'coppice-home'), cache: join(root, 'cache') };
}

/** The real git, found once. `node_modules/.bin` is passed over: a package there could answer to any name. */
export const realGit = findProgram('git');

/** A PATH with git, node and the system's own tools, and nothing else. */
export const plainPath = [...new Set([dirname(realGit), dirname(process.execPath), '/usr/bin', '/bin'])].join(
  delimiter,
);

/** Who commits, in every fixture. */
export const IDENTITY: Environment = {
  GIT_AUTHOR_NAME: 'Ash Hazel',
  GIT_AUTHOR_EMAIL: 'ash@example.org',
  GIT_COMMITTER_NAME: 'Ash Hazel',
  GIT_COMMITTER_EMAIL: 'ash@example.org',
};

/** What git gets when a fixture is built with it. */
export function gitEnvironment(places: Places): Environment {
  return {
    ...programEnvironment(places),
    ...IDENTITY,
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_MERGE_AUTOEDIT: 'no',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** What coppice gets when a test runs it. */
export function programEnvironment(places: Places): Environment {
  return {
    PATH: plainPath,
    HOME: places.home,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    TZ: 'UTC',
    LC_ALL: 'C',
    COPPICE_HOME: places.coppiceHome,
    COPPICE_CACHE: places.cache,
  };
}

function findProgram(name: string): string {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(folder) || folder.includes('node_modules')) continue;
    const path = join(folder, name);
    if (existsSync(path)) return path;
  }
  throw new Error(`the tests need ${name} in PATH`);
}
