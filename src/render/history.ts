import type { History } from '../context.ts';
import type { HistoryDocument } from '../contract/history.ts';
import { createReadable, momentText } from './document.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';

/** The document of `history`. */
export function historyDocument(history: History, limit: number | null, home: string | null): HistoryDocument {
  const readable = createReadable(home);
  return {
    schema: 'coppice.history.v1',
    acts: history.items
      .slice(0, limit ?? undefined)
      .map(({ id, run, time, verb, account, pid, end, undo, ...told }) => ({
        id,
        run,
        at: momentText(time),
        verb,
        subject: readable.text(told.subject),
        why: readable.text(told.why),
        by: { account, pid },
        end: end ?? 'unfinished',
        undo: { state: undo, command: undo === 'open' ? `coppice undo ${id}` : null },
      })),
    unreadable: history.unreadable,
  };
}

const UNDO = {
  open: '',
  undone: 'undone since',
  purged: 'deleted for good since',
  copied: 'done in the repository that this is a copy of',
  none: '',
} as const;

/** What `history` prints for people. */
export function renderHistory({ acts, unreadable }: HistoryDocument, style: Style): string {
  const lines = acts.flatMap(({ at, verb, end, subject, why, by, undo }) => {
    const way = undo.command ?? UNDO[undo.state];
    return [
      `${at}  ${verb} ${end === 'done' ? style.goes(end) : style.stays(end)}  ${style.strong(sanitize(subject))}`,
      `  ${sanitize(why)}  ${style.faint(`by account ${by.account}, process ${by.pid}`)}`,
      ...(way === '' ? [] : [`  ${style.faint(way)}`]),
    ];
  });
  if (unreadable > 0) lines.push(style.alarm(`! ${unreadable} lines of the record cannot be read`));
  return lines.length === 0 ? 'Nothing was done here yet.\n' : `${lines.join('\n')}\n`;
}
