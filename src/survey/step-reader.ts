import { extname } from 'node:path';
import type { RawEntry } from '../git/parse/raw-diff.ts';
import { type Entry, toChange } from '../judge/merged/change.ts';
import type { Departure, Move, Step } from '../judge/merged/history.ts';
import type { Oid } from '../judge/facts/names.ts';
import type { TreePair } from '../git/read/tree-changes.ts';
import type { Numbers } from './numbers.ts';

/** A commit of the base whose change is wanted. */
export interface WantedStep extends TreePair {
  readonly commit: Oid;
  readonly at: number;
  readonly firstParent: boolean;
}

/** So many files that came with one commit are compared with one that went. */
const MOST_COME = 32;

/**
 * Takes the base's steps as they are read, oldest first. Of each only the paths that some branch touches are kept, and
 * where the base moved such a file, the path it moved to, from then on.
 */
export class StepReader {
  readonly steps: Step[] = [];
  readonly moves: Move[] = [];
  readonly departures: Departure[] = [];
  private readonly numbers: Numbers;
  private readonly wanted: readonly WantedStep[];
  private at = -1;
  private entries: Entry[] = [];
  private others = 0;
  /** Of the step at hand: files that went, and files that came, by their contents. */
  private gone: RawEntry[] = [];
  private readonly come = new Map<string, RawEntry>();

  constructor(numbers: Numbers, wanted: readonly WantedStep[]) {
    this.numbers = numbers;
    this.wanted = wanted;
  }

  /** Ends the step at hand and begins another; an index below 0 only ends it. */
  begin(index: number): void {
    const step = this.wanted[this.at];
    if (step !== undefined) this.end(step);
    this.at = index;
    this.entries = [];
    this.others = 0;
    this.gone = [];
    this.come.clear();
  }

  entry(raw: RawEntry): void {
    const entry = this.numbers.knownEntry(raw);
    if (entry === null) this.others++;
    else this.entries.push(entry);
    if (raw.beforeMode === 0) this.come.set(raw.after, raw);
    else if (raw.afterMode === 0 && entry !== null) this.gone.push(raw);
  }

  private end(step: WantedStep): void {
    for (const from of step.firstParent ? this.gone : []) {
      const to = this.come.get(from.before);
      if (to === undefined) {
        this.depart(from, step.at);
        continue;
      }
      if (this.numbers.knownEntry(to) === null) {
        this.entries.push(this.numbers.entry(to));
        this.others--;
      }
      this.moves.push({ from: this.numbers.entry(from).path, to: this.numbers.entry(to).path, at: step.at });
    }
    if (this.entries.length === 0) return;
    this.steps.push({
      commit: step.commit,
      at: step.at,
      firstParent: step.firstParent,
      change: toChange(this.entries),
      others: this.others,
    });
  }

  /** A file that was moved and edited keeps its kind as a rule; of very many that came, nobody asks. */
  private depart(from: RawEntry, at: number): void {
    const come = [...this.come.values()].filter((to) => extname(to.path) === extname(from.path)).slice(0, MOST_COME);
    if (come.length === 0) return;
    const path = this.numbers.entry(from).path;
    this.departures.push({ from: path, at, come: come.map((to) => this.numbers.blobNumber(to.after)) });
  }
}
