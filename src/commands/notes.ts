import type { Context } from '../context.ts';
import { encodeText } from '../render/decode.ts';
import { jsonLine } from '../render/json.ts';
import { notesDocument, type NotesReport, renderNotes } from '../render/notes.ts';
import { createStyle } from '../render/style.ts';
import type { NotesFlags } from './support/flags.ts';
import { directoryOf } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

const ACTIONS = ['list', 'show', 'restore', 'delete'] as const;
const HELP = 'coppice notes --help shows how it is used';

/** `notes ACTION`: copies of ignored files that nothing makes again. */
export async function notes(context: Context, flags: NotesFlags, word: string, ...words: string[]): Promise<number> {
  const action = ACTIONS.find((one) => one === word);
  if (action === undefined)
    throw usageError('unknown-action', `notes has no "${word}": it has ${ACTIONS.join(', ')}`, HELP);
  const report = await reportOf(action, context, flags, idOf(action, words));
  const document = notesDocument(report, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderNotes(document, createStyle(context.stdout, context.env)),
  );
  const isFaulty = report.fault !== undefined || report.outcome?.status === 'failed';
  return isFaulty ? 2 : 0;
}

type Action = (typeof ACTIONS)[number];

/** Empty: it takes none. */
function idOf(action: Action, words: readonly string[]): string {
  const [id, more] = words;
  const isTooMany = action === 'list' ? id !== undefined : more !== undefined;
  if (isTooMany) throw usageError('unexpected-argument', `"${more ?? id}" is too much for notes ${action}`, HELP);
  if (action !== 'list' && id === undefined)
    throw usageError('missing-argument', 'ID is missing: coppice notes list shows them', HELP);
  return encodeText(id ?? '');
}

async function reportOf(action: Action, context: Context, flags: NotesFlags, id: string): Promise<NotesReport> {
  requireFlags(action, flags);
  const port = await context.notes();
  switch (action) {
    case 'list':
      return { action, ...(await port.list(flags.all ? null : directoryOf(context, flags.directory))) };
    case 'show': {
      const { note, files } = port.show(id);
      const fault = files.kind === 'known' ? {} : { fault: files.kind === 'unknown' ? files.reason : 'it is gone' };
      return { action, notes: [note], files: files.kind === 'known' ? files.value : [], ...fault };
    }
    case 'restore': {
      const to = flags.to === undefined || flags.to.startsWith('/') ? flags.to : `${context.cwd}/${flags.to}`;
      const restored = port.restore(id, to === undefined ? null : encodeText(to));
      return { action, isApplied: true, notes: [port.show(id).note], restored };
    }
    case 'delete': {
      if (!flags.apply) return { action, notes: [port.show(id).note] };
      const { note, outcome } = await port.remove(directoryOf(context, flags.directory), id);
      return { action, isApplied: true, notes: [note], outcome };
    }
  }
}

function requireFlags(action: Action, { all, to, apply }: NotesFlags): void {
  const wrong = (flag: string, of: Action) => usageError('unexpected-argument', `${flag} is for notes ${of}`, HELP);
  if (all && action !== 'list') throw wrong('--all', 'list');
  if (to !== undefined && action !== 'restore') throw wrong('--to', 'restore');
  if (apply && action !== 'delete') throw wrong('--apply', 'delete');
}
