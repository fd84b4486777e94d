/** What `sweep --apply` prints for people. */
import type { RowDocument, SurveyDocument } from '../contract/sweep.ts';
import { renderHeading } from './heading.ts';
import type { Style } from './style.ts';
import { keptLines, rowLines, section, type TableOptions } from './table.ts';
import { countKinds } from './words.ts';

export function renderApplied(document: SurveyDocument, options: TableOptions): string {
  const { style } = options;
  const saving = document.rows.filter((row) => row.action === 'save-patch').map(withOutcome);
  const planned = document.rows.filter((row) => row.action !== 'keep' && row.action !== 'save-patch');
  const kept = document.rows.filter((row) => row.action === 'keep');
  const of = (status: 'done' | 'kept' | 'failed') =>
    planned.filter(({ outcome }) => outcome?.status === status).map(withOutcome);
  const lines = [
    ...renderHeading(document, style),
    ...part('Put aside', of('done'), style.goes),
    ...part(
      'Copied, and kept',
      saving.filter(({ outcome }) => outcome?.status === 'done'),
      style.goes,
    ),
    ...part(
      'Kept, and not copied',
      saving.filter(({ outcome }) => outcome?.status !== 'done'),
      style.alarm,
    ),
    ...part('Failed', of('failed'), style.alarm),
    ...part('Stayed', of('kept'), style.stays),
    ...(kept.length === 0 ? [] : section('Kept', kept, style.stays, keptLines(kept, options))),
    '',
    ...footer(document, of('done')),
    ...asideLines(document, style),
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
  const gone =
    done.length === 0 ? `Nothing was put aside of ${rows.length}.` : `${countKinds(done)} of ${rows.length} put aside.`;
  return purge.due === 0 ? [gone] : [gone, `From the trash ${purge.due} went for good, whose time was over.`];
}

/** What was put aside waits; how to have it back, and how to be rid of it. */
export function asideLines({ aside }: SurveyDocument, style: Style): string[] {
  if (aside === undefined) return [];
  const width = Math.max(aside.undo.length, aside.free.length);
  return [
    `It waits in the trash until ${aside.until.slice(0, 10)}.`,
    `  ${style.strong(aside.undo.padEnd(width))}  brings all of it back`,
    `  ${style.strong(aside.free.padEnd(width))}  frees it now`,
  ];
}
