/**
 * Files, and changes to them that can be made again on a later version.
 *
 * A line is an object, `{ text, owner }`: a change names the very lines it replaces, wherever they have moved to. A line
 * that an open branch replaces, adds or inserts after is owned by it until it lands, so every landing applies; the lines
 * around it are not, so contexts move, and now and then git's own merge meets a conflict.
 * A file is `{ path, mode, lines }` or, if binary, `{ path, mode, bytes }`, and is never changed, only replaced.
 */

/** The files of main, or on a branch: those of main, but for what the branch changed. */
export class View {
  #below;
  #files = new Map();
  #before = new Map();

  constructor(below = null) {
    this.#below = below;
  }

  get(id) {
    return this.#files.has(id) ? this.#files.get(id) : (this.#below?.get(id) ?? null);
  }

  set(id, file) {
    if (!this.#before.has(id)) this.#before.set(id, this.get(id));
    this.#files.set(id, file);
  }

  /** The files that were set since the last `takeChanges`. */
  pending() {
    return this.#before.keys();
  }

  /** The files that this view itself set; null for a deleted one. */
  own() {
    return this.#files;
  }

  /** What was set since the last call, by path. */
  takeChanges() {
    const changes = new Map();
    for (const [id, before] of this.#before) {
      const after = this.#files.get(id);
      if (before !== null && before.path !== after?.path) changes.set(before.path, null);
      if (after !== null) changes.set(after.path, after);
    }
    this.#before.clear();
    return changes;
  }
}

const SAME_LINES = { added: (line) => line, found: (line) => line };

/** Makes a change on a view. `lines` says which line is added for one of the change, and as which one it is found again. */
export function apply(view, op, { added, found } = SAME_LINES) {
  const file = view.get(op.id);
  switch (op.type) {
    case 'edit': {
      const lines = splice(file.lines, op.after && found(op.after), op.cut.map(found), op.add.map(added));
      view.set(op.id, { path: file.path, mode: file.mode, lines });
      return;
    }
    case 'create':
      view.set(op.id, { ...op.file, lines: op.file.lines.map(added) });
      return;
    case 'delete':
      view.set(op.id, null);
      return;
    default: // rename, mode, binary: replaces some of the file's fields
      view.set(op.id, { ...file, ...op.fields, blob: op.type === 'binary' ? undefined : file.blob });
  }
}

/** Lines to apply changes with: what they add has more white space in front. */
export function indented() {
  const copies = new Map();
  return {
    added(line) {
      copies.set(line, { text: `  ${line.text}`, owner: 0 });
      return copies.get(line);
    },
    found: (line) => copies.get(line) ?? line,
  };
}

/** Takes an edit or a creation back. */
export function revert(view, op) {
  if (op.type === 'create') view.set(op.id, null);
  else {
    const file = view.get(op.id);
    view.set(op.id, { path: file.path, mode: file.mode, lines: splice(file.lines, null, op.add, op.cut) });
  }
}

function splice(lines, after, cut, add) {
  const at = after === null ? lines.indexOf(cut[0]) : lines.indexOf(after) + 1;
  const isLost = after === null ? at === -1 : at === 0;
  if (isLost || cut.some((line, offset) => lines[at + offset] !== line)) {
    throw new Error('the generator lost the lines of a change');
  }
  return [...lines.slice(0, at), ...add, ...lines.slice(at + cut.length)];
}

/** Invents changes that stay possible for their owner. The owner 0 is main itself, whose changes are made at once. */
export class Changes {
  #profile;
  #random;
  #words;
  #main;
  #texts = [];
  #binaries = [];
  #users = new Map();
  #exclusive = new Map();
  #nextId = 1;

  constructor(profile, random, words, main) {
    this.#profile = profile;
    this.#random = random;
    this.#words = words;
    this.#main = main;
  }

  /** Changes for one commit, made on `view`. `plain`: only edits that add lines, and new files. */
  make(view, owner, plain = false) {
    const ops = [];
    const before = new Map();
    const push = (op) => {
      if (op === null) return;
      if (!before.has(op.id)) before.set(op.id, view.get(op.id));
      apply(view, op);
      ops.push(op);
    };
    for (let files = this.#profile.filesPerCommit(this.#random); files > 0; files -= 1) {
      const type = plain ? 'edit' : this.#random.weighted(this.#profile.ops);
      if (type === 'edit') for (const edit of this.#edits(view, owner, plain)) push(edit);
      else push(type === 'create' ? this.create(owner) : this.#whole(type, view, owner));
    }
    // Nobody commits nothing, or edits that come to nothing.
    const isEmpty =
      ops.every(({ type }) => type === 'edit') && [...before].every(([id, file]) => isSame(file, view.get(id)));
    if (isEmpty) push(this.create(owner));
    return ops;
  }

  create(owner, lineCount = this.#profile.newLines(this.#random)) {
    const file = { path: this.#words.path(this.#profile.depth), mode: '100644', lines: this.#lines(owner, lineCount) };
    return { type: 'create', id: this.#take(owner), file };
  }

  /** A binary file of main. */
  createBinary() {
    const path = this.#words.path(this.#profile.depth, 'png');
    return {
      id: this.#take(0),
      file: { path, mode: '100644', bytes: this.#words.bytes(this.#random.between(400, 60_000)) },
    };
  }

  /** Main has this file from now on. */
  list(id) {
    (this.#main.get(id).bytes === undefined ? this.#texts : this.#binaries).push(id);
  }

  /** Main has it no longer. */
  unlist(id) {
    for (const ids of [this.#texts, this.#binaries]) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1);
  }

  /** Everything that the owner held is free again. */
  release(owner, ops) {
    for (const op of ops) {
      this.#users.get(op.id)?.delete(owner);
      if (this.#exclusive.get(op.id) === owner) this.#exclusive.delete(op.id);
      for (const line of [op.after, ...(op.cut ?? []), ...(op.add ?? []), ...(op.file?.lines ?? [])]) {
        if (line?.owner === owner) line.owner = 0;
      }
    }
  }

  *#edits(view, owner, plain) {
    const id = this.#someFile(this.#texts);
    for (let hunks = this.#profile.hunksPerFile(this.#random); hunks > 0; hunks -= 1) {
      const file = view.get(id);
      if (!this.#isOpenTo(owner, id) || file === null || file.bytes !== undefined) return;
      const edit = this.#edit(id, file.lines, owner, plain);
      if (edit === null) continue;
      this.#use(owner, id);
      yield edit;
    }
  }

  #edit(id, lines, owner, plain) {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const at = this.#random.below(lines.length);
      const cut = lines.slice(at, at + this.#random.between(1, 4));
      if (cut.some((line) => line.owner !== 0 && line.owner !== owner)) continue;
      const style = this.#random.weighted({ insert: 25, remove: plain || lines.length < 12 ? 0 : 20, replace: 55 });
      if (style === 'insert') {
        cut[0].owner = owner;
        return { type: 'edit', id, after: cut[0], cut: [], add: this.#lines(owner, this.#random.between(1, 6)) };
      }
      const add = this.#lines(owner, style === 'remove' ? 0 : cut.length + this.#random.below(2));
      for (const line of cut) line.owner = owner;
      return { type: 'edit', id, after: null, cut, add };
    }
    return null;
  }

  /** A change of a file as a whole: nobody else may have the file in use, but for a rename on main. */
  #whole(type, view, owner) {
    const id = this.#someFile(type === 'binary' ? this.#binaries : this.#texts);
    const file = view.get(id);
    const others = [...(this.#users.get(id) ?? [])].some((user) => user !== owner);
    if (file === null || !this.#isOpenTo(owner, id) || (others && !(type === 'rename' && owner === 0))) return null;
    this.#use(owner, id);
    if (owner !== 0) this.#exclusive.set(id, owner);
    return this.#wholeOp(type, id, file);
  }

  #wholeOp(type, id, file) {
    switch (type) {
      case 'delete':
        return { type, id };
      case 'rename':
        return { type, id, fields: { path: this.#words.path(this.#profile.depth, file.path.split('.').pop()) } };
      case 'mode':
        return { type, id, fields: { mode: file.mode === '100644' ? '100755' : '100644' } };
      default: {
        const bytes = Buffer.from(file.bytes);
        const patch = this.#words.bytes(64);
        patch.copy(bytes, this.#random.below(bytes.length - patch.length));
        return { type, id, fields: { bytes } };
      }
    }
  }

  /** Early files are changed more often, as much as the profile says. */
  #someFile(ids) {
    const at = this.#random.below(ids.length);
    return ids[this.#random.chance(this.#profile.hot) ? this.#random.below(at + 1) : at];
  }

  #isOpenTo(owner, id) {
    const holder = this.#exclusive.get(id);
    return (holder === undefined || holder === owner) && this.#main.get(id) !== null;
  }

  #take(owner) {
    const id = this.#nextId;
    this.#nextId += 1;
    if (owner !== 0) this.#use(owner, id);
    return id;
  }

  #use(owner, id) {
    if (owner === 0) return;
    if (!this.#users.has(id)) this.#users.set(id, new Set());
    this.#users.get(id).add(owner);
  }

  #lines(owner, count) {
    return Array.from({ length: count }, () => ({ text: this.#words.line(), owner }));
  }
}

function isSame({ lines }, { lines: others }) {
  return lines.length === others.length && lines.every(({ text }, at) => text === others[at].text);
}
