/**
 * Files as lists of lines, each line a place of its own whatever its text. An edit names its place, so it is known
 * what a commit truly did, where a comparison of texts could only guess.
 */
export interface Line {
  readonly place: number;
  readonly text: string;
}

export interface FileState {
  readonly lines: readonly Line[];
  readonly mode: '100644' | '100755';
}

export type Tree = ReadonlyMap<string, FileState>;

export type Edit =
  | { readonly kind: 'set'; readonly file: string; readonly place: number; readonly from: string; readonly to: string }
  | { readonly kind: 'insert'; readonly file: string; readonly after: number; readonly line: Line }
  | { readonly kind: 'remove'; readonly file: string; readonly after: number; readonly line: Line }
  | { readonly kind: 'add'; readonly file: string; readonly state: FileState }
  | { readonly kind: 'delete'; readonly file: string; readonly state: FileState }
  | { readonly kind: 'rename'; readonly file: string; readonly to: string }
  | { readonly kind: 'mode'; readonly file: string; readonly executable: boolean };

/** The tree after the edits; throws when one of them does not fit, which a plan must not let happen. */
export function applyAll(tree: Tree, edits: readonly Edit[]): Tree {
  const next = new Map(tree);
  for (const edit of edits) apply(next, edit);
  return next;
}

/** What takes the edits back. */
export function inverseOf(edits: readonly Edit[]): Edit[] {
  return edits.toReversed().map(inverseEdit);
}

function inverseEdit(edit: Edit): Edit {
  switch (edit.kind) {
    case 'set':
      return { ...edit, from: edit.to, to: edit.from };
    case 'insert':
      return { ...edit, kind: 'remove' };
    case 'remove':
      return { ...edit, kind: 'insert' };
    case 'add':
      return { ...edit, kind: 'delete' };
    case 'delete':
      return { ...edit, kind: 'add' };
    case 'rename':
      return { kind: 'rename', file: edit.to, to: edit.file };
    case 'mode':
      return { ...edit, executable: !edit.executable };
  }
}

export function contentOf(state: FileState): string {
  return state.lines.map((line) => `${line.text}\n`).join('');
}

function apply(tree: Map<string, FileState>, edit: Edit): void {
  if (edit.kind === 'add') {
    tree.set(edit.file, edit.state);
    return;
  }
  const state = tree.get(edit.file);
  if (state === undefined) throw new Error(`${edit.kind}: no ${edit.file}`);
  switch (edit.kind) {
    case 'delete':
      tree.delete(edit.file);
      break;
    case 'rename':
      tree.delete(edit.file);
      tree.set(edit.to, state);
      break;
    case 'mode':
      tree.set(edit.file, { ...state, mode: edit.executable ? '100755' : '100644' });
      break;
    case 'set':
      tree.set(edit.file, {
        ...state,
        lines: state.lines.with(placeOf(state, edit.place), { place: edit.place, text: edit.to }),
      });
      break;
    case 'insert':
      tree.set(edit.file, { ...state, lines: state.lines.toSpliced(placeOf(state, edit.after) + 1, 0, edit.line) });
      break;
    case 'remove':
      tree.set(edit.file, { ...state, lines: state.lines.toSpliced(placeOf(state, edit.line.place), 1) });
      break;
  }
}

function placeOf(state: FileState, place: number): number {
  const at = state.lines.findIndex((line) => line.place === place);
  if (at < 0) throw new Error(`no place ${place}`);
  return at;
}
