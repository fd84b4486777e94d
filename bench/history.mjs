import { apply, Changes, indented, revert, View } from './tree.mjs';

const MAIN = 'refs/heads/main';
const SIDE = 'refs/bench/side';
const CHUNK = 1 << 20;

/**
 * Tells the story of a repository to `stream`, a commit at a time: main moves on while branches are open, some take
 * main in, and each ends as its kind says. Yields the stream's bytes as they gather.
 *
 * `truth` receives one entry a branch: its name, its kind, and the marks of its tip, of the first and the last commit on
 * main that it landed as (null for those that did not), and of each commit that was rebased, with the one it became.
 */
export function* history({ profile, random, words, stream, truth }) {
  const story = new Story(profile, random, words, stream, truth);
  for (const _step of story.steps()) if (stream.waiting > CHUNK) yield stream.take();
  stream.done();
  yield stream.take();
}

class Story {
  #profile;
  #random;
  #words;
  #stream;
  #truth;
  #main = new View();
  #changes;
  #idByPath = new Map();
  #tip;
  /** The paths that each commit on main changed, in order. */
  #log = [];
  #commits = 0;
  #open = [];
  #step = 0;
  #pull = 1;

  constructor(profile, random, words, stream, truth) {
    this.#profile = profile;
    this.#random = random;
    this.#words = words;
    this.#stream = stream;
    this.#truth = truth;
    this.#changes = new Changes(profile, random, words, this.#main);
  }

  *steps() {
    const { branches, mainCommits, head, sideMerges, countSideCommits } = this.#profile;
    this.#import();
    yield;
    while (this.#commits < mainCommits * head) {
      this.#moveOn();
      yield;
    }
    const kinds = this.#kinds();
    const perMove = 1 + (countSideCommits ? sideMerges * 2.5 : 0);
    const perStep = (mainCommits - this.#commits - this.#landingCommits(kinds)) / perMove / branches;
    let due = 0;
    for (let number = 0; number < branches || this.#open.length > 0; number += 1) {
      this.#step += 1;
      if (number < branches) this.#start(kinds[number], number);
      const ready = this.#open.filter((branch) => branch.due <= this.#step);
      this.#open = this.#open.filter((branch) => branch.due > this.#step);
      for (const branch of ready) this.#advance(branch);
      for (due += perStep; due >= 1 && this.#commits < mainCommits; due -= 1) this.#moveOn();
      yield;
    }
    while (this.#commits < mainCommits) {
      this.#moveOn();
      yield;
    }
  }

  #import() {
    const { files, lines, name } = this.#profile;
    for (let count = 0; count < files; count += 1) {
      const { id, file } =
        name === 'realistic' && count % 15 === 0
          ? this.#changes.createBinary()
          : this.#changes.create(0, lines(this.#random));
      this.#main.set(id, file);
      this.#changes.list(id);
    }
    this.#commitMain({ message: 'Start', parents: [] });
  }

  #kinds() {
    const { branches, kinds } = this.#profile;
    const list = Object.entries(kinds).flatMap(([kind, share]) => Array(Math.round(branches * share)).fill(kind));
    while (list.length < branches) list.push('unmerged');
    return this.#random.shuffle(list.slice(0, branches));
  }

  /** About how many commits the branches bring to main. */
  #landingCommits(kinds) {
    const cost = { squash: 1, merge: 1, rebase: 3, ff: 3, partial: 1, respaced: 1, reverted: 2 };
    return kinds.reduce((sum, kind) => sum + (cost[kind] ?? 0), 0);
  }

  /** What others do meanwhile: a commit on main, or a branch that is long forgotten, merged. */
  #moveOn() {
    if (!this.#random.chance(this.#profile.sideMerges)) {
      const ops = this.#changes.make(this.#main, 0);
      this.#settle(ops);
      this.#commitMain({ message: this.#words.subject() });
      return;
    }
    const view = new View(this.#main);
    const commits = [];
    let tip = this.#tip;
    for (let count = this.#random.between(1, 4); count > 0; count -= 1) {
      commits.push(this.#changes.make(view, 0));
      const message = this.#words.subject();
      tip = this.#stream.commit({ ref: SIDE, message, parents: [tip], changes: view.takeChanges() });
    }
    for (const ops of commits) this.#land(ops);
    if (this.#profile.countSideCommits) this.#commits += commits.length;
    this.#commitMain({ message: `Merge ${this.#words.subject().toLowerCase()}`, parents: [this.#tip, tip] });
  }

  #start(kind, number) {
    const { updates, lag, branchCommits } = this.#profile;
    const name = this.#words.branch(number);
    const branch = { kind, owner: number + 1, name, ref: `refs/heads/${name}`, tip: this.#tip, commits: [] };
    branch.view = new View(this.#main);
    branch.base = this.#log.length;
    branch.title = this.#words.subject();
    branch.author = this.#words.author();
    branch.due = this.#step + this.#random.between(...lag);
    const updated = ['squash', 'merge', 'unmerged'].includes(kind) && this.#random.chance(updates);
    branch.updates = updated ? this.#random.between(1, 2) : 0;
    if (kind === 'fresh') this.#stream.reset(branch.ref, this.#tip);
    // The first of several commits of a partly cherry-picked branch is on main, so it needs a second one.
    else this.#work(branch, Math.max(kind === 'partial' ? 2 : 1, branchCommits(this.#random)));
    // Main can be fast-forwarded only as long as it has not moved.
    if (kind === 'ff') this.#end(branch);
    else this.#open.push(branch);
  }

  #work(branch, count) {
    const plain = branch.kind === 'respaced' || branch.kind === 'reverted';
    for (; count > 0; count -= 1) {
      const ops = this.#changes.make(branch.view, branch.owner, plain);
      const message = branch.commits.length === 0 ? branch.title : this.#words.subject();
      this.#commitBranch(branch, message, [branch.tip], branch.view.takeChanges());
      branch.commits.push({ ops, message, mark: branch.tip });
    }
  }

  #commitBranch(branch, message, parents, changes) {
    branch.tip = this.#stream.commit({ ref: branch.ref, message, author: branch.author, parents, changes });
  }

  #advance(branch) {
    if (branch.updates === 0) return this.#end(branch);
    branch.updates -= 1;
    this.#update(branch);
    this.#work(branch, this.#random.between(0, 2));
    branch.due = this.#step + this.#random.between(...this.#profile.lag);
    this.#open.push(branch);
  }

  /** Merges main into the branch. The commit's tree is told as a difference to the branch, its first parent. */
  #update(branch) {
    if (branch.base === this.#log.length) return;
    const view = new View(this.#main);
    for (const { ops } of branch.commits) for (const op of ops) apply(view, op);
    view.takeChanges();

    const paths = new Set(this.#log.slice(branch.base).flat());
    const own = new Map();
    for (const [id, file] of view.own()) if (file !== null) own.set(file.path, { id, file });
    for (const file of branch.view.own().values()) if (file !== null) paths.add(file.path);
    for (const path of own.keys()) paths.add(path);
    const changes = new Map();
    for (const path of paths) {
      const id = this.#idByPath.get(path);
      const inherited = id === undefined || view.own().has(id) ? null : this.#main.get(id);
      changes.set(path, own.get(path)?.file ?? inherited);
    }
    this.#commitBranch(branch, `Merge branch 'main' into ${branch.name}`, [branch.tip, this.#tip], changes);
    branch.view = view;
    branch.base = this.#log.length;
  }

  #end(branch) {
    const landed = [];
    const { commits, author } = branch;
    branch.number ??= this.#pull++;
    const title = `${branch.title} (#${branch.number})`;
    const land = (part, message, lines) => {
      for (const { ops } of part) this.#land(ops, lines);
      landed.push(this.#commitMain({ message, author }));
    };
    switch (branch.kind) {
      case 'squash':
        land(commits, title);
        break;
      case 'rebase':
        for (const commit of commits) land([commit], commit.message);
        break;
      case 'merge':
        for (const { ops } of commits) this.#land(ops);
        landed.push(
          this.#commitMain({ message: `Merge #${branch.number}: ${branch.title}`, parents: [this.#tip, branch.tip] }),
        );
        break;
      case 'ff':
        for (const { ops } of commits) this.#land(ops);
        this.#commits += commits.length;
        this.#log.push([...this.#takeMainChanges().keys()]);
        this.#stream.reset(MAIN, branch.tip);
        this.#tip = branch.tip;
        landed.push(branch.tip);
        break;
      case 'partial':
        land(commits.slice(0, 1), commits[0].message);
        break;
      case 'respaced':
        land(commits, title, indented());
        break;
      case 'reverted':
        if (branch.landed === undefined) {
          land(commits, title);
          branch.landed = landed;
          branch.due = this.#step + this.#random.between(1, 5);
          this.#open.push(branch);
          return;
        }
        for (const { ops } of commits.toReversed()) this.#takeBack(ops);
        this.#commitMain({ message: `Revert "${title}"` });
        break;
      default: // unmerged, fresh: nothing of it comes to main
    }
    for (const { ops } of commits) this.#changes.release(branch.owner, ops);
    const isMerged = ['squash', 'rebase', 'merge', 'ff'].includes(branch.kind);
    const [first, last] = isMerged ? [landed[0], landed.at(-1)] : [null, null];
    const { name, kind, tip } = branch;
    const replays = kind === 'rebase' ? commits.map(({ mark }, index) => [mark, landed[index]]) : [];
    this.#truth.push({ name, kind, merged: isMerged, tip, first, last, replays });
  }

  #land(ops, lines) {
    for (const op of ops) apply(this.#main, op, lines);
    this.#settle(ops);
  }

  #takeBack(ops) {
    for (const op of ops.toReversed()) {
      revert(this.#main, op);
      if (op.type === 'create') this.#changes.unlist(op.id);
    }
  }

  #settle(ops) {
    for (const { type, id } of ops) {
      if (type === 'create') this.#changes.list(id);
      if (type === 'delete') this.#changes.unlist(id);
    }
  }

  #commitMain({ message, author, parents = [this.#tip] }) {
    const changes = this.#takeMainChanges();
    this.#tip = this.#stream.commit({ ref: MAIN, message, author, parents, changes });
    this.#log.push([...changes.keys()]);
    this.#commits += 1;
    return this.#tip;
  }

  #takeMainChanges() {
    for (const id of this.#main.pending()) {
      const path = this.#main.get(id)?.path;
      if (path !== undefined) this.#idByPath.set(path, id);
    }
    const changes = this.#main.takeChanges();
    for (const [path, file] of changes) if (file === null) this.#idByPath.delete(path);
    return changes;
  }
}
