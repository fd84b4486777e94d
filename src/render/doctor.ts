import type { DoctorDocument } from '../contract/doctor.ts';
import type { Sweep } from '../judge/sweep.ts';
import { readableId, readablePath, readableText } from './document.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';

/** The document of `doctor`. */
export function doctorDocument({ repository, ailments }: Sweep, home: string | null): DoctorDocument {
  return {
    schema: 'coppice.doctor.v1',
    repository: { path: readablePath(repository.path, home) },
    ailments: ailments.map(({ code, row, text, mend }) => ({
      code,
      row: row === null ? null : readableId(row, home),
      text: readableText(text, home),
      mend: mend === null ? null : readableText(mend, home),
    })),
  };
}

/** What `doctor` prints for people. */
export function renderDoctor({ repository, ailments }: DoctorDocument, style: Style): string {
  const where = style.strong(sanitize(repository.path));
  if (ailments.length === 0) return `${where}: nothing is broken or stale.\n`;
  const lines = ailments.flatMap(({ code, row, text, mend }) => [
    '',
    `${style.alarm('!')} ${sanitize(code)}${row === null ? '' : ` ${sanitize(row)}`}: ${sanitize(text)}`,
    mend === null ? `    ${style.faint('no one command mends it')}` : `    ${sanitize(mend)}`,
  ]);
  return `${[`${where}: ${ailments.length} broken or stale. Nothing was mended.`, ...lines].join('\n')}\n`;
}
