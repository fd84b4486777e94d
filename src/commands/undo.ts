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
    as: asOf(flags, id),
    to: flags.to === undefined ? null : encodeText(flags.to.startsWith('/') ? flags.to : `${context.cwd}/${flags.to}`),
    detach: flags.detach,
  });
  const document = undoDocument(undone, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderUndo(document, createStyle(context.stdout, context.env)),
  );
  return undone.every(({ outcome }) => outcome.status === 'done') ? 0 : 2;
}

/** With an id, --branch names what is to be made. */
function asOf({ as, branch }: UndoFlags, id: string | undefined): string | null {
  const name = as ?? (id === undefined ? undefined : branch);
  return name === undefined ? null : encodeText(name);
}

function targetOf({ last, branch, as }: UndoFlags, id: string | undefined): UndoTarget {
  const isName = id !== undefined && branch !== undefined && as === undefined;
  const named = [id !== undefined, last, branch !== undefined && !isName].filter(Boolean).length;
  if (named === 0) throw usageError('missing-argument', 'ID, --last or --branch NAME is missing', HELP);
  if (named > 1) throw usageError('unexpected-argument', 'ID, --last and --branch NAME exclude each other', HELP);
  if (id !== undefined) return { kind: 'id', id };
  if (branch === undefined) return { kind: 'last' };
  const ref = parseRefName(branch.startsWith('refs/heads/') ? encodeText(branch) : `refs/heads/${encodeText(branch)}`);
  if (ref === null) throw usageError('bad-value', `--branch: "${branch}" is no name of a branch`, HELP);
  return { kind: 'branch', ref };
}
