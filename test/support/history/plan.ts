/**
 * A random history with the truth beside it. Branches of many kinds grow and land at the same time, main goes on in
 * between. No two of them ever edit the same place or one next to it, so that nothing conflicts and nothing comes back
 * by accident; texts repeat all the more.
 */
import type { Repository } from '../repository.ts';
import { applyAll, type Edit, type FileState, inverseOf, type Line, type Tree } from './model.ts';
import { Random } from './random.ts';
import { type Made, Stream } from './stream.ts';

/** `goes`: all of it is on main, and that must be found. `stays`: it must never go. `may-go`: safe, but hard to find. */
export type Truth = 'goes' | 'stays' | 'may-go';

export interface Branch {
  readonly name: string;
  readonly kind: Kind;
  truth: Truth;
}

export const KINDS = [
  'open',
  'squashed',
  'squashed-rewritten',
  'squashed-in-part',
  'squashed-otherwise',
  'squashed-and-extended',
  'squashed-and-reverted',
  'squashed-reverted-squashed',
  'rebased',
  'rebased-in-part',
  'rebased-and-reverted',
  'merged',
  'merged-and-reverted',
  'fast-forwarded',
  'updated-and-squashed',
  'updated-and-open',
  'evil',
  'twin-edited',
  'picked-backwards',
  'undone',
  'stacked',
  'stacked-open',
  'stacked-reverted',
  'merged-reverted-merged',
  'integrated',
  'toggled-by-main',
] as const;
export type Kind = (typeof KINDS)[number];

interface Slot {
  readonly file: string;
  /** The line that may be edited; its neighbours are left alone. */
  readonly place: number;
}

const SLOT_LINES = 4;
const FILES = 6;
const SLOTS_PER_FILE = 120;
const ONCE = '  step';
const TWICE = '  step twice';

export class Plan {
  readonly branches: Branch[] = [];
  private readonly random: Random;
  private readonly stream: Stream;
  private readonly uniqueSlots: Slot[] = [];
  private readonly twinSlots: Slot[] = [];
  private readonly ownFiles: string[] = [];
  private readonly fastForwards = new Map<string, { from: Made; to: Made }>();
  private main: Made;
  private places = 0;
  private texts = 0;

  constructor(seed: number, start: number) {
    this.random = new Random(seed);
    this.stream = new Stream(start);
    this.main = this.stream.commit('refs/heads/main', this.firstTree(), [], 'start');
  }

  /** Grows `count` branches, a few at a time, until all have come to their end. */
  grow(count: number): void {
    const waiting: Generator<void>[] = [];
    let begun = 0;
    while (begun < count || waiting.length > 0) {
      if (begun < count && (waiting.length < 6 || this.random.chance(20))) {
        waiting.push(this.live(begun, KINDS[(begun + this.random.below(3)) % KINDS.length] as Kind));
        begun += 1;
      }
      if (this.random.chance(30)) this.noise();
      const one = this.random.pick(waiting);
      if (one.next().done === true) waiting.splice(waiting.indexOf(one), 1);
    }
    this.noise();
  }

  /** Puts all of it into a repository; main is what the remote is known to have. */
  build(repository: Repository): void {
    const ids = this.stream.importInto(repository);
    const id = (made: Made) => ids.get(made.mark) as string;
    repository.git('update-ref', 'refs/remotes/origin/main', id(this.main));
    repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    repository.git('reset', '--quiet', '--hard');
    for (const [name, { from, to }] of this.fastForwards) {
      // The import writes no reflog; only a reflog tells a fast-forwarded branch from one without a commit.
      repository.git(
        'update-ref',
        '--create-reflog',
        '-m',
        'branch: Created from main',
        `refs/heads/${name}`,
        id(from),
      );
      repository.git('update-ref', '-m', 'commit: work', `refs/heads/${name}`, id(to));
    }
  }

  // The lives of branches: each `yield` lets the others go on.

  private *live(number: number, kind: Kind): Generator<void> {
    const branch: Branch = { name: `${kind}/${number}`, kind, truth: 'stays' };
    this.branches.push(branch);
    const grown = new Grown(branch, this.main);
    const commits = 1 + this.random.below(3);
    if (kind === 'fast-forwarded') {
      this.fastForward(grown, commits);
      return;
    }
    for (let n = 0; n < commits; n += 1) this.work(grown, this.edits(kind));
    yield;
    yield* this.lives[kind].call(this, grown);
  }

  private readonly lives: Readonly<Record<Kind, (this: Plan, grown: Grown) => Generator<void>>> = {
    *open() {},
    *'fast-forwarded'() {},
    *squashed(grown) {
      this.land(grown.edits, grown);
      grown.landed();
    },
    *'squashed-rewritten'(grown) {
      this.land(grown.edits, grown);
      yield;
      const set = grown.edits.find((edit) => edit.kind === 'set');
      if (set?.kind === 'set') this.onMain([{ ...set, from: set.to, to: this.text('rewritten') }], 'main knows better');
      grown.landed();
    },
    *'squashed-in-part'(grown) {
      const edits = [...grown.edits];
      this.random.take(edits);
      this.land(edits, grown);
    },
    *'squashed-otherwise'(grown) {
      this.land([...grown.edits.slice(0, -1), otherwise(grown.edits.at(-1) as Edit, this.text('otherwise'))], grown);
    },
    *'squashed-and-extended'(grown) {
      this.land(grown.edits, grown);
      yield;
      this.work(grown, [this.uniqueEdit()]);
    },
    *'squashed-and-reverted'(grown) {
      this.land(grown.edits, grown);
      yield;
      this.onMain(inverseOf(grown.edits), 'revert');
    },
    *'squashed-reverted-squashed'(grown) {
      this.land(grown.edits, grown);
      yield;
      this.onMain(inverseOf(grown.edits), 'revert');
      yield;
      this.land(grown.edits, grown);
      grown.landed();
    },
    *rebased(grown) {
      for (const commit of grown.commits) this.onMain(commit, 'picked');
      grown.landed();
    },
    *'rebased-in-part'(grown) {
      this.work(grown, [this.uniqueEdit()]);
      const commits = [...grown.commits];
      this.random.take(commits);
      for (const commit of commits) {
        this.onMain(commit, 'picked');
        yield;
      }
    },
    *'rebased-and-reverted'(grown) {
      for (const commit of grown.commits) this.onMain(commit, 'picked');
      yield;
      for (const commit of grown.commits.toReversed()) this.onMain(inverseOf(commit), 'revert');
    },
    *merged(grown) {
      this.mergeInto(grown, applyAll(this.main.tree, grown.edits));
      grown.branch.truth = 'goes';
    },
    *'merged-and-reverted'(grown) {
      this.mergeInto(grown, applyAll(this.main.tree, grown.edits));
      yield;
      this.onMain(inverseOf(grown.edits), 'revert');
    },
    *'updated-and-squashed'(grown) {
      for (let n = 0; n < 1 + this.random.below(2); n += 1) {
        this.update(grown, []);
        this.work(grown, this.edits('squashed'));
        yield;
      }
      this.land(grown.edits, grown);
      grown.landed();
    },
    *'updated-and-open'(grown) {
      this.update(grown, []);
      yield;
      this.update(grown, []);
    },
    *evil(grown) {
      const known = [...grown.edits];
      this.update(grown, [this.uniqueEdit()]);
      yield;
      this.onMain(known, 'all but what the merge brought');
    },
    *'twin-edited'(grown) {
      // Another place, the same text: not what the branch did.
      const count = grown.edits.length;
      this.onMain(
        Array.from({ length: count }, () => this.twinEdit()),
        'twins',
      );
    },
    *'picked-backwards'(grown) {
      for (const commit of grown.commits.toReversed()) {
        this.onMain(commit, 'picked');
        yield;
      }
      grown.branch.truth = 'may-go';
    },
    *undone(grown) {
      this.work(grown, inverseOf(grown.edits));
    },
    *stacked(grown) {
      const child = this.stackOn(grown);
      yield;
      this.land(grown.edits, grown);
      yield;
      this.land(child.edits, child);
      grown.landed();
      child.landed();
    },
    *'stacked-open'(grown) {
      this.stackOn(grown);
      yield;
      this.land(grown.edits, grown);
      grown.landed();
    },
    *'stacked-reverted'(grown) {
      const child = this.stackOn(grown);
      yield;
      this.land(grown.edits, grown);
      this.land(child.commits.flat(), child);
      yield;
      this.onMain(inverseOf(grown.edits), 'revert');
    },
    *'merged-reverted-merged'(grown) {
      this.mergeInto(grown, applyAll(this.main.tree, grown.edits));
      yield;
      this.onMain(inverseOf(grown.edits), 'revert');
      yield;
      // What git makes of it: the reverted commits are in the history already, so only the last one comes.
      const more = [this.uniqueEdit()];
      this.work(grown, more);
      this.mergeInto(grown, applyAll(this.main.tree, more));
    },
    *integrated(grown) {
      const side = this.stream.commit(
        'refs/heads/main',
        applyAll(this.main.tree, [this.uniqueEdit()]),
        [this.main],
        'integration',
      );
      const landed = this.stream.commit('refs/heads/main', applyAll(side.tree, grown.edits), [side], 'squashed there');
      const before = this.main;
      this.main = this.stream.commit('refs/heads/main', landed.tree, [before, landed], 'merge integration');
      grown.landed();
    },
    *'toggled-by-main'(grown) {
      const set = grown.edits.filter((edit) => edit.kind === 'set');
      this.onMain(set, 'on');
      yield;
      this.onMain(inverseOf(set), 'off');
    },
  };

  private stackOn(grown: Grown): Grown {
    const branch: Branch = { name: `${grown.branch.name}-child`, kind: grown.branch.kind, truth: 'stays' };
    this.branches.push(branch);
    const child = new Grown(branch, grown.tip);
    for (let n = 0; n < 1 + this.random.below(2); n += 1) this.work(child, this.edits('stacked'));
    return child;
  }

  private fastForward(grown: Grown, commits: number): void {
    const from = this.main;
    for (let n = 0; n < commits; n += 1) this.work(grown, this.edits('fast-forwarded'));
    this.main = grown.tip;
    this.stream.reset('refs/heads/main', this.main);
    this.fastForwards.set(grown.branch.name, { from, to: grown.tip });
    grown.branch.truth = 'goes';
  }

  // Commits

  private work(grown: Grown, edits: readonly Edit[]): void {
    const ref = `refs/heads/${grown.branch.name}`;
    grown.tip = this.stream.commit(ref, applyAll(grown.tip.tree, edits), [grown.tip], 'work');
    grown.commits.push(edits);
  }

  /** Merges main into the branch, with more edits in the merge itself. */
  private update(grown: Grown, extra: readonly Edit[]): void {
    const tree = applyAll(this.main.tree, [...grown.edits, ...extra]);
    grown.tip = this.stream.commit(`refs/heads/${grown.branch.name}`, tree, [grown.tip, this.main], 'merge main');
    if (extra.length > 0) grown.commits.push(extra);
  }

  private mergeInto(grown: Grown, tree: Tree): void {
    this.main = this.stream.commit('refs/heads/main', tree, [this.main, grown.tip], 'merge');
  }

  private land(edits: readonly Edit[], grown: Grown): void {
    this.onMain(edits, `${grown.branch.name} (#1)`);
  }

  private onMain(edits: readonly Edit[], subject: string): void {
    this.main = this.stream.commit('refs/heads/main', applyAll(this.main.tree, edits), [this.main], subject);
  }

  private noise(): void {
    this.onMain([this.random.chance(30) ? this.twinEdit() : this.uniqueEdit()], 'main goes on');
  }

  // Edits

  private edits(kind: Kind): Edit[] {
    if (kind === 'twin-edited') return [this.twinEdit()];
    const edits = Array.from({ length: 1 + this.random.below(2) }, () => this.anyEdit());
    // Enough to leave one out, and something that is not a file of its own.
    if (
      kind === 'squashed-in-part' ||
      kind === 'squashed-otherwise' ||
      kind === 'squashed-rewritten' ||
      kind === 'toggled-by-main'
    )
      edits.push(this.uniqueEdit());
    return edits;
  }

  private anyEdit(): Edit {
    const dice = this.random.below(100);
    if (dice < 50) return this.uniqueEdit();
    if (dice < 60) return this.insertion();
    if (dice < 70) return this.twinEdit();
    if (dice < 80) return { kind: 'add', file: `new/${this.text('file')}.txt`, state: this.fileOf([this.text('new')]) };
    const file = this.ownFiles.pop();
    if (file === undefined) return this.uniqueEdit();
    if (dice < 87) return { kind: 'mode', file, executable: true };
    if (dice < 94) return { kind: 'rename', file, to: `moved/${file}` };
    return { kind: 'delete', file, state: this.main.tree.get(file) as FileState };
  }

  private uniqueEdit(): Edit {
    const slot = this.random.take(this.uniqueSlots);
    return { kind: 'set', ...slot, from: textAt(this.main.tree, slot), to: this.text('edited') };
  }

  private insertion(): Edit {
    const slot = this.random.take(this.uniqueSlots);
    return { kind: 'insert', file: slot.file, after: slot.place, line: this.line(this.text('inserted')) };
  }

  private twinEdit(): Edit {
    return { kind: 'set', ...this.random.take(this.twinSlots), from: ONCE, to: TWICE };
  }

  private text(word: string): string {
    this.texts += 1;
    return `${word}-${this.texts}`;
  }

  private line(text: string): Line {
    this.places += 1;
    return { place: this.places, text };
  }

  private fileOf(texts: readonly string[]): FileState {
    return { mode: '100644', lines: texts.map((text) => this.line(text)) };
  }

  private firstTree(): Tree {
    const tree = new Map<string, FileState>();
    for (let n = 0; n < FILES; n += 1) {
      const texts = Array.from({ length: SLOTS_PER_FILE * SLOT_LINES }, (_, at) => `file ${n} line ${at}`);
      this.addFile(tree, `unique/${n}.txt`, texts, this.uniqueSlots);
      const twins = Array.from({ length: SLOTS_PER_FILE }, () => ['begin {', ONCE, '}', '']).flat();
      this.addFile(tree, `twins/${n}.txt`, twins, this.twinSlots);
    }
    for (let n = 0; n < 60; n += 1) {
      tree.set(`own/${n}.txt`, this.fileOf([`own ${n}`, 'a second line']));
      this.ownFiles.push(`own/${n}.txt`);
    }
    return tree;
  }

  private addFile(tree: Map<string, FileState>, file: string, texts: readonly string[], slots: Slot[]): void {
    const state = this.fileOf(texts);
    tree.set(file, state);
    for (let at = 1; at < state.lines.length; at += SLOT_LINES)
      slots.push({ file, place: (state.lines[at] as Line).place });
  }
}

/** A branch while it grows. */
class Grown {
  readonly branch: Branch;
  tip: Made;
  readonly commits: (readonly Edit[])[] = [];

  constructor(branch: Branch, tip: Made) {
    this.branch = branch;
    this.tip = tip;
  }

  get edits(): readonly Edit[] {
    return this.commits.flat();
  }

  /** Everything is on main. Where texts repeat it may be impossible to tell which of the twins was meant. */
  landed(): void {
    const ambiguous = this.edits.some((edit) => edit.kind === 'set' && edit.to === TWICE);
    this.branch.truth = ambiguous ? 'may-go' : 'goes';
  }
}

function textAt(tree: Tree, slot: Slot): string {
  return tree.get(slot.file)?.lines.find((line) => line.place === slot.place)?.text ?? '';
}

/** The same place, another result. */
function otherwise(edit: Edit, text: string): Edit {
  return edit.kind === 'set' ? { ...edit, to: text } : edit;
}
