import type { UndoTarget } from '../act/undo-choice.ts';
import type { Context } from '../context.ts';
import { parseRefName } from '../judge/facts/names.ts';
import { encodeText } from '../render/decode.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { renderUndo, undoDocument } from '../render/undo.ts';
import type { UndoFlags } from './support/flags.ts';
import { directoryOf } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

const HELP = 'coppice undo --help shows how it is used';

/** `undo ID|RUN`: brings back what a sweep took away. */
export async function undo(context: Context, flags: UndoFlags, id?: string): Promise<number> {
  const undone = await context.undo({
    directory: directoryOf(context, flags.directory),
    target: targetOf(flags, id),
    as: flags.as === undefined ? null : encodeText(flags.as),
  });
  const document = undoDocument(undone, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderUndo(document, createStyle(context.stdout, context.env)),
  );
  return undone.every(({ outcome }) => outcome.status === 'done') ? 0 : 2;
}

function targetOf({ last, branch }: UndoFlags, id: string | undefined): UndoTarget {
  const named = [id !== undefined, last, branch !== undefined].filter(Boolean).length;
  if (named === 0) throw usageError('missing-argument', 'ID, --last or --branch NAME is missing', HELP);
  if (named > 1) throw usageError('unexpected-argument', 'ID, --last and --branch NAME exclude each other', HELP);
  if (id !== undefined) return { kind: 'id', id };
  if (branch === undefined) return { kind: 'last' };
  const ref = parseRefName(branch.startsWith('refs/heads/') ? encodeText(branch) : `refs/heads/${encodeText(branch)}`);
  if (ref === null) throw usageError('bad-value', `--branch: "${branch}" is no name of a branch`, HELP);
  return { kind: 'branch', ref };
}
