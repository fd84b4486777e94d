import type { Note, NoteFile, NotesRestored } from '../context.ts';
import type { NotesDocument, SalvageDocument } from '../contract/notes.ts';
import type { Outcome } from '../judge/outcome.ts';
import { sizeWords } from '../judge/size.ts';
import { decodeBytes, encodeText } from './decode.ts';
import { createReadable, momentText, outcomeDocument } from './document.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';

/** What a verb found or did, with everything that it did not left out. */
export interface NotesReport {
  readonly verb: 'notes' | 'salvage';
  readonly action: NotesDocument['action'];
  readonly notes: readonly Note[];
  readonly isApplied?: boolean;
  readonly elsewhere?: number;
  readonly files?: readonly NoteFile[];
  readonly fault?: string;
  readonly restored?: NotesRestored;
  readonly outcome?: Outcome;
}

/** The document of `notes`. */
export function notesDocument(report: NotesReport, home: string | null): NotesDocument | SalvageDocument {
  const readable = createReadable(home);
  const { restored, outcome } = report;
  return {
    schema: `coppice.${report.verb}.v1`,
    action: report.action,
    mode: report.isApplied === true ? 'apply' : 'dry-run',
    notes: report.notes.map((note) => noteDocument(note, report.fault ?? null, readable)),
    elsewhere: report.elsewhere ?? 0,
    files: (report.files ?? []).map(({ path, kind, mode, size, sha256 }) => ({
      path: decodeBytes(path),
      kind,
      mode: mode.toString(8).padStart(4, '0'),
      bytes: size,
      sha256,
    })),
    restored:
      restored === undefined
        ? null
        : {
            path: readable.path(restored.folder),
            made: restored.made,
            there: restored.there,
            skipped: restored.skipped.map((path) => decodeBytes(path)),
          },
    ...(outcome === undefined ? {} : { outcome: outcomeDocument(outcome, readable) }),
  };
}

function noteDocument(
  { id, at, path, head }: Note,
  fault: string | null,
  readable: ReturnType<typeof createReadable>,
): NotesDocument['notes'][number] {
  const about = head.kind === 'known' ? head.value : null;
  const why = fault ?? (head.kind === 'unknown' ? head.reason : null);
  return {
    id,
    kind: about?.kind ?? 'unknown',
    at: momentText(at),
    worktree: about === null ? null : readable.path(about.worktree),
    repository: about === null ? null : readable.path(about.repository),
    branch: about?.branch ?? null,
    head: about?.head ?? null,
    count: about?.count ?? null,
    bytes: about?.bytes ?? null,
    path: readable.path(encodeText(path)),
    fault: why === null ? null : readable.text(why),
  };
}

/** What `notes` prints for people. */
export function renderNotes(document: NotesDocument | SalvageDocument, style: Style): string {
  const { schema, action, notes, elsewhere, files, restored, outcome, mode } = document;
  const verb = schema === 'coppice.notes.v1' ? 'notes' : 'salvage';
  const [note] = notes;
  if (action === 'restore' && restored !== null) {
    const there = restored.there === 0 ? '' : `, ${restored.there} were there already`;
    const skipped = restored.skipped.map((path) => `not made again: ${sanitize(path)}\n`).join('');
    return `${style.goes('back')}: ${restored.made} of ${note?.id ?? ''} in ${sanitize(restored.path)}${there}\n${skipped}`;
  }
  const lines = notes.map((one) => lineOf(one, style));
  if (action === 'delete') {
    const foot =
      mode === 'dry-run' ? 'Nothing was deleted. The same with --apply deletes it for good.' : (outcome?.text ?? '');
    return `${[...lines, sanitize(foot)].join('\n')}\n`;
  }
  const more = files.map(({ mode, bytes, path }) => `  ${mode} ${sizeWords(bytes).padStart(9)}  ${sanitize(path)}`);
  const others = elsewhere === 0 ? [] : [`${elsewhere} of other repositories: coppice ${verb} list --all`];
  const none = notes.length === 0 && elsewhere === 0 ? ['There are none.'] : [];
  return `${[...none, ...lines, ...more, ...others].join('\n')}\n`;
}

function lineOf({ id, at, worktree, count, bytes, fault, path }: NotesDocument['notes'][number], style: Style): string {
  if (fault !== null) return `${at}  ${id}: ${style.alarm(`${sanitize(fault)} (${sanitize(path)})`)}`;
  const files = count === 1 ? '1 file' : `${count ?? 0} files`;
  return `${at}  ${id}: ${files}, ${sizeWords(bytes ?? 0)}, from ${sanitize(worktree ?? '')}`;
}
