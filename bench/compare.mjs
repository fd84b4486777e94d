import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { countGit, median, run } from './measure.mjs';

/** Runs tools on one repository, in turn, so that whatever else the machine does meets all of them alike. */
export class Comparison {
  #repository;
  #label;
  #temp;
  #env;
  #instruments;
  #say;
  #copies = new Map();

  constructor({ repository, label, temp, env, instruments, say }) {
    this.#repository = repository;
    this.#label = label;
    this.#temp = temp;
    this.#env = env;
    this.#instruments = instruments;
    this.#say = say;
  }

  /** One result a tool: `{ tool, ms, runs, processes, peakKb, quality, rows, error }`. */
  async of(tools, { runs, budgetMs }) {
    const states = tools.map((tool) => ({
      tool,
      times: [],
      verdict: null,
      processes: null,
      peakKb: null,
      error: null,
    }));
    for (const state of states) await this.#attempt(state, 'inspected', () => this.#inspect(state));
    for (let round = 1; round <= runs; round += 1) {
      for (const state of states) {
        const spent = state.times.reduce((sum, ms) => sum + ms, 0);
        if (state.error !== null || (round > 1 && spent + state.times.at(-1) > budgetMs)) continue;
        await this.#attempt(state, `run ${round} of ${runs}`, () => this.#time(state));
      }
    }
    for (const copy of this.#copies.values()) rmSync(copy, { recursive: true });
    this.#copies.clear();
    return states.map(({ tool, times, verdict, processes, peakKb, error }) => ({
      tool,
      ms: times.length === 0 ? null : median(times),
      runs: times.length,
      processes,
      peakKb,
      merged: verdict?.merged ?? null,
      quality: verdict === null ? null : qualityOf(verdict.merged, this.#repository.truth),
      rows: verdict?.rows ?? null,
      error,
    }));
  }

  async #attempt(state, what, work) {
    this.#say(`${this.#label}: ${state.tool.title}, ${what}`);
    try {
      await work();
    } catch (error) {
      state.error = error;
    }
  }

  /** A first run apart from the measured ones: it warms up, and carries the instruments that would slow them. */
  async #inspect(state) {
    const { strace, memory } = this.#instruments;
    if (state.tool.needsFirstRun === true) await this.#run(state.tool, {});
    const trace = join(this.#temp, 'trace');
    const wrap = strace.command === null ? [] : strace.command(trace);
    // Under strace the tool is what runs below it.
    const sample = strace.command === null ? memory.tree : memory.below;
    const result = await this.#run(state.tool, { wrap, sample });
    if (strace.command !== null) state.processes = countGit(trace);
    if (sample !== null) state.peakKb = result.peakKb;
  }

  async #time(state) {
    const result = await this.#run(state.tool, {});
    state.times.push(result.ms);
    if (state.tool.verdict !== null) state.verdict ??= state.tool.verdict(result);
  }

  async #run(tool, { wrap = [], sample = null }) {
    const cwd = this.#place(tool);
    const env = { ...this.#env, ...tool.env?.({ label: this.#label }) };
    const isFresh = tool.place === 'fresh';
    const before = isFresh ? this.#branches(cwd) : null;
    const result = await run([...wrap, ...tool.command], { cwd, env, sample });
    if (result.signal !== null) throw new Error(`stopped by ${result.signal} after ${Math.round(result.ms / 1000)} s`);
    const after = isFresh ? this.#branches(cwd) : null;
    if (isFresh) rmSync(cwd, { recursive: true });
    return { ...result, before, after };
  }

  #place(tool) {
    const { work } = this.#repository;
    if (tool.place === 'shared') return work;
    if (tool.place === 'own' && this.#copies.has(tool.id)) return this.#copies.get(tool.id);
    const copy = join(this.#temp, `copy-${this.#label.replace(/\W+/g, '-')}-${tool.id}`);
    rmSync(copy, { recursive: true, force: true });
    this.#do('cp', ['-a', work, copy]);
    this.#do('git', ['status', '--porcelain'], copy); // The copied files have other inodes than the index says.
    if (tool.place === 'own') this.#copies.set(tool.id, copy);
    return copy;
  }

  #branches(cwd) {
    return this.#do('git', ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'], cwd).trimEnd().split('\n');
  }

  #do(program, args, cwd) {
    const result = spawnSync(program, args, { cwd, env: this.#env, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (result.status !== 0) throw new Error(`${program} ${args[0]}: ${result.error?.message ?? result.stderr}`);
    return result.stdout;
  }
}

/** Holds a verdict against the truth: lists of the branches concerned. */
export function qualityOf(merged, truth) {
  const isProvable = ({ proof }) => proof !== 'none' && proof !== 'unclean';
  const mergedOnes = truth.filter((branch) => branch.merged);
  const missed = mergedOnes.filter(({ name }) => !merged.has(name));
  const kinds = new Map();
  for (const { name, kind } of truth) {
    const counts = kinds.get(kind) ?? { taken: 0, all: 0 };
    counts.all += 1;
    if (merged.has(name)) counts.taken += 1;
    kinds.set(kind, counts);
  }
  return {
    found: mergedOnes.length - missed.length,
    merged: mergedOnes.length,
    provable: mergedOnes.filter(isProvable).length,
    missedProvable: missed.filter(isProvable),
    missedOther: missed.filter((branch) => !isProvable(branch)),
    falselyMerged: truth.filter((branch) => !branch.merged && merged.has(branch.name)),
    kinds,
  };
}

/** Two commands in turn: their median times, and the median ratio of the second to the first of each pair. */
export async function pairs([first, second], { count, cwd, env }) {
  const times = [];
  for (let pair = -1; pair < count; pair += 1) {
    // Each goes first every other time; the pair -1 only warms up.
    const order = pair % 2 === 0 ? [0, 1] : [1, 0];
    const ms = [0, 0];
    for (const index of order) {
      const result = await run([first, second][index], { cwd, env });
      if (result.code !== 0)
        throw new Error(`${[first, second][index].join(' ')} ended with ${result.code}: ${result.stderr}`);
      ms[index] = result.ms;
    }
    if (pair >= 0) times.push(ms);
  }
  return {
    first: median(times.map(([ms]) => ms)),
    second: median(times.map(([, ms]) => ms)),
    ratio: median(times.map(([before, after]) => after / before)),
  };
}
