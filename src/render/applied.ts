/** What `sweep --apply` prints for people. */
import type { RowDocument, SurveyDocument } from '../contract/sweep.ts';
import { renderHeading } from './heading.ts';
import { keptLines, rowLines, section, type TableOptions } from './table.ts';
import { countKinds } from './words.ts';

/** @param run the id that stands for all that was done; null: nothing was. */
export function renderApplied(document: SurveyDocument, options: TableOptions, run: string | null): string {
  const { style } = options;
  const planned = document.rows.filter((row) => row.action !== 'keep');
  const kept = document.rows.filter((row) => row.action === 'keep');
  const of = (status: 'done' | 'kept' | 'failed') =>
    planned.filter(({ outcome }) => outcome?.status === status).map(withOutcome);
  const lines = [
    ...renderHeading(document, style),
    ...part('Deleted', of('done'), style.goes),
    ...part('Failed', of('failed'), style.alarm),
    ...part('Stayed', of('kept'), style.stays),
    ...(kept.length === 0 ? [] : section('Kept', kept, style.stays, keptLines(kept, options))),
    '',
    ...footer(document, of('done')),
    ...(run === null ? [] : [`All of it is undone by: coppice undo ${run}`]),
  ];
  return `${lines.join('\n')}\n`;

  function part(title: string, rows: readonly RowDocument[], paint: (text: string) => string): string[] {
    return rows.length === 0 ? [] : section(title, rows, paint, rowLines(rows, options));
  }
}

/** What became of it is what is told of it. */
function withOutcome(row: RowDocument): RowDocument {
  return { ...row, reason: { ...row.reason, text: row.outcome?.text ?? row.reason.text } };
}

function footer({ rows, purge }: SurveyDocument, done: readonly RowDocument[]): string[] {
  const deleted =
    done.length === 0 ? `Nothing was deleted of ${rows.length}.` : `${countKinds(done)} of ${rows.length} deleted.`;
  return purge.due === 0 ? [deleted] : [deleted, `From the trash ${purge.due} went for good, whose time was over.`];
}
