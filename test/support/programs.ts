/** Programs named git that stand in front of the real one, in a folder of their own that comes first in PATH. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Environment, realGit } from './environment.ts';

let folders = 0;

/** Writes `body`, a POSIX shell script in which $GIT is the real git, as the program git; returns its folder. */
export function standInGit(root: string, body: string): string {
  folders += 1;
  const folder = join(root, `bin-${folders}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nGIT=${quoted(realGit)}\n${body}\n`, { mode: 0o755 });
  return folder;
}

/** The environment with `folder` first in PATH. */
export function withProgramsOf(folder: string, env: Environment): Environment {
  return { ...env, PATH: `${folder}${delimiter}${env['PATH'] ?? ''}` };
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
