import type { Undone } from '../context.ts';
import type { UndoDocument } from '../contract/undo.ts';
import { decodeBytes } from './decode.ts';
import { createReadable, outcomeDocument } from './document.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';

/** The document of `undo`. */
export function undoDocument(undone: readonly Undone[], home: string | null): UndoDocument {
  const readable = createReadable(home);
  return {
    schema: 'coppice.undo.v1',
    rows: undone.map(({ id, run, kind, name, path, outcome }) => ({
      id,
      run,
      kind,
      name: decodeBytes(name),
      path: path === null ? null : readable.path(path),
      outcome: outcomeDocument(outcome, readable),
    })),
  };
}

const WORDS = { done: 'back', kept: 'not back', failed: 'back, but not whole' } as const;

/** What `undo` prints for people. */
export function renderUndo({ rows }: UndoDocument, style: Style): string {
  return rows
    .map(({ kind, name, path, outcome: { status, text } }) => {
      const paint = status === 'done' ? style.goes : style.stays;
      return `${paint(WORDS[status])}: ${kind} ${sanitize(path ?? name)}, ${sanitize(text)}\n`;
    })
    .join('');
}
