/** Where one round happens: a repository, its linked worktrees, the choices of its seed, and all that was done there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gitEnvironment, realGit } from '../support/environment.ts';
import type { Random } from '../support/history/random.ts';
import { type Finished, runAlongside } from '../support/processes.ts';
import type { Repository } from '../support/repository.ts';

export class Ground {
  readonly r: Repository;
  readonly random: Random;
  /** Folders of linked worktrees; some may be gone. */
  readonly desks: string[] = [];
  /** Tips whose work is on the base, as whoever built it knows: nothing else may ever go. */
  readonly spent: Set<string>;
  /** Every name that a branch ever had here. */
  readonly names: Set<string>;
  /** Ids of acts and runs that coppice told. */
  readonly ids: string[] = [];
  /** Ids of acts that put a worktree aside. */
  readonly deskIds: string[] = [];
  /** Process groups that people have started, and the inode of the worktree that each is in. */
  readonly guests = new Map<number, string>();
  /** Worktrees that somebody has leased, and the files of the tokens. */
  readonly leased = new Map<string, string>();
  /** Coppice is in the midst of something, with its lock. */
  isHalted = false;
  /** What was done, in order. */
  readonly log: string[] = [];
  private numbers = 0;

  constructor(r: Repository, random: Random, known: { spent: Iterable<string>; names: Iterable<string> }) {
    this.r = r;
    this.random = random;
    this.spent = new Set(known.spent);
    this.names = new Set(known.names);
  }

  get root(): string {
    return this.r.places.root;
  }

  /** A number that was not given before. */
  next(): number {
    this.numbers += 1;
    return this.numbers;
  }

  /** The clone and the linked worktrees that are there. */
  places(): string[] {
    return [this.r.work, ...this.desks.filter((desk) => existsSync(join(desk, '.git')))];
  }

  /** git as a person runs it; it may fail. */
  async git(cwd: string, ...args: readonly string[]): Promise<Finished> {
    const result = await this.ask(cwd, ...args);
    const folder = cwd === this.r.work ? '' : ` -C ${cwd.slice(this.root.length + 1)}`;
    const complaint = result.code === 0 ? '' : ` -> ${result.code}: ${result.stderr.trim().split('\n').at(-1)}`;
    this.log.push(`git${folder} ${args.join(' ')}${complaint}`);
    return result;
  }

  /** A question of the test's own, which is not told. */
  ask(cwd: string, ...args: readonly string[]): Promise<Finished> {
    const env = { ...gitEnvironment(this.r.places), ...this.r.clock.variables };
    return runAlongside(realGit, args, { cwd, env });
  }

  /** The answer to a question of the test's own; what fails has none. */
  async answer(...args: readonly string[]): Promise<string> {
    const { code, stdout } = await this.ask(this.r.work, ...args);
    return code === 0 ? stdout.toString('utf8').trimEnd() : '';
  }

  /** Its work is on the base: by its own id, or by another for the same files, as an amended commit has. */
  async isSpent(tip: string): Promise<boolean> {
    if (this.spent.has(tip)) return true;
    const trees = [tip, ...this.spent].map((oid) => `${oid}^{tree}`).join('\n');
    const [own, ...others] = (await this.feed(`${trees}\n`, 'cat-file', '--batch-check=%(objectname)')).split('\n');
    return own !== undefined && !own.endsWith(' missing') && others.includes(own);
  }

  /** What git answers to an input. */
  async feed(input: string, ...args: readonly string[]): Promise<string> {
    const env = gitEnvironment(this.r.places);
    const { stdout } = await runAlongside(realGit, args, { cwd: this.r.work, env, input });
    return stdout.toString('utf8').trimEnd();
  }

  /** Names of the branches that are there. */
  async branches(): Promise<string[]> {
    const text = await this.answer('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
    return text.split('\n').filter((name) => name !== '');
  }
}
