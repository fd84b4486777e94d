import type { Context } from '../context.ts';
import { encodeText } from '../render/decode.ts';
import { jsonLine } from '../render/json.ts';
import { notesDocument, type NotesReport, renderNotes } from '../render/notes.ts';
import { createStyle } from '../render/style.ts';
import type { NotesFlags } from './support/flags.ts';
import { directoryOf } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

const ACTIONS = ['list', 'show', 'restore', 'delete'] as const;

/** `notes ACTION`: copies of ignored files that nothing makes again. */
export function notes(context: Context, flags: NotesFlags, ...words: string[]): Promise<number> {
  return run({ verb: 'notes', kind: 'ignored' }, context, flags, words);
}

/** `salvage ACTION`: copies of what differed from the commit in worktrees that stayed. */
export function salvage(context: Context, flags: NotesFlags, ...words: string[]): Promise<number> {
  return run({ verb: 'salvage', kind: 'changes' }, context, flags, words);
}

interface Meant {
  readonly verb: 'notes' | 'salvage';
  readonly kind: 'ignored' | 'changes';
}

async function run(meant: Meant, context: Context, flags: NotesFlags, words: readonly string[]): Promise<number> {
  const [word = '', ...rest] = words;
  const { verb } = meant;
  const action = ACTIONS.find((one) => one === word);
  if (action === undefined)
    throw usageError('unknown-action', `${verb} has no "${word}": it has ${ACTIONS.join(', ')}`, helpOf(verb));
  const report = await reportOf(meant, action, context, flags, idOf(verb, action, rest));
  const document = notesDocument(report, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderNotes(document, createStyle(context.stdout, context.env)),
  );
  const isFaulty = report.fault !== undefined || report.outcome?.status === 'failed';
  return isFaulty ? 2 : 0;
}

type Action = (typeof ACTIONS)[number];

/** Empty: it takes none. */
function idOf(verb: Meant['verb'], action: Action, words: readonly string[]): string {
  const [id, more] = words;
  const isTooMany = action === 'list' ? id !== undefined : more !== undefined;
  if (isTooMany)
    throw usageError('unexpected-argument', `"${more ?? id}" is too much for ${verb} ${action}`, helpOf(verb));
  if (action !== 'list' && id === undefined)
    throw usageError('missing-argument', `ID is missing: coppice ${verb} list shows them`, helpOf(verb));
  return encodeText(id ?? '');
}

async function reportOf(
  { verb, kind }: Meant,
  action: Action,
  context: Context,
  flags: NotesFlags,
  id: string,
): Promise<NotesReport> {
  requireFlags(verb, action, flags);
  const port = await context.notes(kind);
  switch (action) {
    case 'list':
      return { verb, action, ...(await port.list(flags.all ? null : directoryOf(context, flags.directory))) };
    case 'show': {
      const { note, files } = port.show(id);
      const fault = files.kind === 'known' ? {} : { fault: files.kind === 'unknown' ? files.reason : 'it is gone' };
      return { verb, action, notes: [note], files: files.kind === 'known' ? files.value : [], ...fault };
    }
    case 'restore': {
      const to = flags.to === undefined || flags.to.startsWith('/') ? flags.to : `${context.cwd}/${flags.to}`;
      const restored = port.restore(id, to === undefined ? null : encodeText(to));
      return { verb, action, isApplied: true, notes: [port.show(id).note], restored };
    }
    case 'delete': {
      if (!flags.apply) return { verb, action, notes: [port.show(id).note] };
      const { note, outcome } = await port.remove(directoryOf(context, flags.directory), id);
      return { verb, action, isApplied: true, notes: [note], outcome };
    }
  }
}

function requireFlags(verb: Meant['verb'], action: Action, { all, to, apply }: NotesFlags): void {
  const wrong = (flag: string, of: Action) =>
    usageError('unexpected-argument', `${flag} is for ${verb} ${of}`, helpOf(verb));
  if (all && action !== 'list') throw wrong('--all', 'list');
  if (to !== undefined && action !== 'restore') throw wrong('--to', 'restore');
  if (apply && action !== 'delete') throw wrong('--apply', 'delete');
}

function helpOf(verb: Meant['verb']): string {
  return `coppice ${verb} --help shows how it is used`;
}
