/**
 * A repository to look at, built with real git: a clone `work` and, beside it, the bare `origin.git` it was cloned
 * from. Names follow what people do: squash, rebase, merge, cherry-pick, track, gone.
 */
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { Clock } from './clock.ts';
import { type Environment, gitEnvironment, type Places, placesIn, programEnvironment, realGit } from './environment.ts';
import { makeFolder, removeFolder } from './folders.ts';
import { type Finished, run } from './processes.ts';
import { ORIGIN_HERE, type Start, startingPoint } from './template.ts';

export { ALPHA, BETA, GAMMA } from './template.ts';

export interface GitOptions {
  readonly cwd?: string;
  readonly env?: Environment;
  readonly input?: string | Uint8Array;
}

export class Repository {
  readonly places: Places;
  /** The clone; a test may move it and set this anew. */
  work: string;
  readonly origin: string;
  readonly clock: Clock;
  /** The branch that work is merged into. */
  main: string;
  private readonly gitEnv: Environment;

  /** @param start what to begin with; another repository is copied as it is now, with all that lies beside it. */
  constructor(start: Start | Repository = {}) {
    this.places = placesIn(makeFolder());
    this.work = join(this.places.root, 'work');
    this.origin = join(this.places.root, 'origin.git');
    this.gitEnv = gitEnvironment(this.places);
    const from =
      start instanceof Repository
        ? { folder: start.places.root, origin: start.origin, now: start.clock.now }
        : { ...startingPoint(start), origin: ORIGIN_HERE };
    cpSync(from.folder, this.places.root, { recursive: true });
    const config = join(this.work, '.git', 'config');
    writeFileSync(config, readFileSync(config, 'utf8').replace(from.origin, this.origin));
    this.clock = new Clock(from.now);
    this.main = start.main ?? 'main';
  }

  /** The environment in which coppice is run on this repository. */
  get env(): Environment {
    return programEnvironment(this.places);
  }

  remove(): void {
    removeFolder(this.places.root);
  }

  // Raw git

  /** Runs git in the clone and returns what it printed, without the last line feed; throws when git fails. */
  git(...args: readonly string[]): string {
    return this.gitWith({}, ...args)
      .toString('utf8')
      .replace(/\n$/, '');
  }

  /** As `git`, with another folder, more environment or an input; returns bytes. */
  gitWith(options: GitOptions, ...args: readonly string[]): Buffer {
    const result = this.tryGit(options, ...args);
    if (result.code === 0) return result.stdout;
    throw new Error(`git ${args.join(' ')} ended with ${result.code ?? result.signal}: ${result.stderr}`);
  }

  /** Runs git, which may fail. */
  tryGit(options: GitOptions, ...args: readonly string[]): Finished {
    const env = { ...this.gitEnv, ...this.clock.variables, ...options.env };
    return run(realGit, args, {
      cwd: options.cwd ?? this.work,
      env,
      ...(options.input === undefined ? {} : { input: options.input }),
    });
  }

  // Files

  /** A path in the clone. */
  path(file: string): string {
    return resolve(this.work, file);
  }

  /** Writes a file: a list is lines, each ended by a line feed. */
  write(file: string, content: string | readonly string[] | Uint8Array): void {
    const path = this.path(file);
    mkdirSync(dirname(path), { recursive: true });
    const text = typeof content === 'string' || content instanceof Uint8Array ? content : joinLines(content);
    writeFileSync(path, text);
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  /** Replaces line `line` (from 1) of a file. */
  edit(file: string, line: number, text: string): void {
    this.rewrite(file, (lines) => lines.with(line - 1, text));
  }

  /** Inserts after line `line`; 0 is the start of the file. */
  insert(file: string, line: number, ...texts: readonly string[]): void {
    this.rewrite(file, (lines) => lines.toSpliced(line, 0, ...texts));
  }

  /** Changes the list of a file's lines. */
  rewrite(file: string, change: (lines: readonly string[]) => readonly string[]): void {
    this.write(file, change(this.read(file).split('\n').slice(0, -1)));
  }

  append(file: string, text: string): void {
    appendFileSync(this.path(file), text);
  }

  delete(...files: readonly string[]): void {
    for (const file of files) rmSync(this.path(file), { recursive: true });
  }

  /** Makes a file executable, or no longer. */
  executable(file: string, yes = true): void {
    chmodSync(this.path(file), yes ? 0o755 : 0o644);
  }

  // Commits and branches

  /** Commits everything that differs and returns the commit's id. */
  commit(message: string): string {
    this.git('add', '--all');
    return this.commitStaged(message);
  }

  /** Commits what is staged (nothing, too: an empty commit). */
  commitStaged(message: string, ...options: readonly string[]): string {
    this.clock.advance();
    this.git('commit', '--quiet', '--allow-empty', '--no-verify', `--message=${message}`, ...options);
    return this.id('HEAD');
  }

  /** Replaces line `line` of a file and commits that. */
  change(file: string, line: number, text: string): string {
    this.edit(file, line, text);
    return this.commit(`${file}: ${text}`);
  }

  /** Amends the last commit with everything that differs. */
  amend(message = 'amended'): string {
    this.git('add', '--all');
    return this.commitStaged(message, '--amend');
  }

  /** Creates a branch and checks it out. */
  branch(name: string, at = 'HEAD'): void {
    this.git('checkout', '--quiet', '--no-track', '-b', name, at);
  }

  checkout(name: string): void {
    this.git('checkout', '--quiet', name, '--');
  }

  /** Checks main out. */
  toMain(): void {
    this.checkout(this.main);
  }

  id(name: string): string {
    return this.git('rev-parse', '--verify', '--quiet', '--end-of-options', name);
  }

  /** A squash merge onto what is checked out; it must be clean. */
  squash(branch: string, message = `${branch} (#1)`): string {
    this.git('merge', '--quiet', '--squash', branch);
    return this.commitStaged(message);
  }

  /** A squash merge that conflicts, with the contents that the person resolved it to. */
  squashResolved(branch: string, contents: Readonly<Record<string, string | readonly string[]>>): string {
    const merge = this.tryGit({}, 'merge', '--squash', branch);
    if (merge.code === 0) throw new Error(`squashing ${branch} was to conflict and did not`);
    for (const [file, content] of Object.entries(contents)) this.write(file, content);
    return this.commit(`${branch} (#1)`);
  }

  /** A rebase merge: every commit of the branch that main lacks, again, onto what is checked out. */
  rebaseMerge(branch: string): void {
    this.clock.advance();
    this.git('cherry-pick', '--allow-empty', `${this.main}..${branch}`);
  }

  /** A true merge into what is checked out. */
  merge(branch: string): string {
    this.clock.advance();
    this.git('merge', '--quiet', '--no-ff', `--message=Merge ${branch}`, branch);
    return this.id('HEAD');
  }

  fastForward(branch: string): void {
    this.git('merge', '--quiet', '--ff-only', branch);
  }

  /** Starts a merge and does not commit it, clean or not. */
  mergeOpen(branch: string): void {
    this.tryGit({}, 'merge', '--no-ff', '--no-commit', branch);
  }

  cherryPick(...commits: readonly string[]): string {
    this.clock.advance();
    this.git('cherry-pick', ...commits);
    return this.id('HEAD');
  }

  /** Reverts a commit; `parent` for a merge. */
  revert(commit = 'HEAD', parent?: number): string {
    this.clock.advance();
    this.git('revert', '--no-edit', ...(parent === undefined ? [] : ['-m', String(parent)]), commit);
    return this.id('HEAD');
  }

  /** Rebases the checked-out branch. */
  rebase(...args: readonly string[]): void {
    this.clock.advance();
    this.git('rebase', '--quiet', ...args);
  }

  // The remote

  /** Pushes a branch and makes the remote's its upstream. */
  track(branch: string): void {
    this.git('push', '--quiet', '--set-upstream', 'origin', `refs/heads/${branch}:refs/heads/${branch}`);
  }

  /** Pushes a branch and deletes it on the remote, as a forge does after a merge. The upstream setting stays. */
  gone(branch: string): void {
    this.track(branch);
    this.git('push', '--quiet', 'origin', '--delete', `refs/heads/${branch}`);
  }

  /** Pushes main and makes it the remote's default branch here. */
  publish(): void {
    this.toMain();
    this.track(this.main);
    this.git('remote', 'set-head', 'origin', this.main);
  }

  // Worktrees

  /** Adds a worktree beside the clone and returns its path. */
  worktree(folder: string, ...args: readonly string[]): string {
    const path = join(this.places.root, folder);
    if (existsSync(path)) throw new Error(`${path} is there already`);
    const [branch, ...options] = args;
    this.git('worktree', 'add', '--quiet', ...options, path, ...(branch === undefined ? [] : [branch]));
    return path;
  }
}

/** A repository that is removed when the running test ends. */
export function temporaryRepository(start: Start | Repository = {}): Repository {
  const repository = new Repository(start);
  onTestFinished(() => repository.remove());
  return repository;
}

/** Lines as a file holds them. */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
