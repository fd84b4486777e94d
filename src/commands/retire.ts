import type { Choose, Context } from '../context.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { remediesOf } from '../judge/remedies.ts';
import type { Row } from '../judge/row.ts';
import { decodeBytes, encodeText } from '../render/decode.ts';
import { retireDocument, retiredDocument } from '../render/document.ts';
import { jsonLine } from '../render/json.ts';
import { renderRetire } from '../render/retire.ts';
import { createStyle } from '../render/style.ts';
import { outcomesExit } from './support/exit-code.ts';
import { closeNames, findRows } from './support/find-rows.ts';
import type { RetireFlags } from './support/flags.ts';
import { didYouMean } from './support/nearest.ts';
import { apply, directoryOf, KINDS, survey } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

/** `retire NAME|PATH`: one worktree, and its branch where that is spent; with `--apply` it goes. */
export async function retire(context: Context, flags: RetireFlags, name: string): Promise<number> {
  if (name === '') throw usageError('bad-value', 'NAME|PATH is empty', 'coppice retire --help shows how it is used');
  const choose: Choose = { verb: 'retire', of: (rows) => chosen(context, flags, rows, name) };
  const named = { keepsBranch: flags.keepBranch };
  const asked = { ...flags, idle: flags.idle ?? 0 };
  const applied = flags.apply ? await apply(context, asked, KINDS, choose, { named }) : null;
  const found = applied?.sweep ?? (await survey(context, asked, KINDS, { named }));
  const rows = applied === null ? choose.of(found.rows) : found.rows;
  const worktree = rows.filter(({ kind }) => kind === 'worktree');
  const recovery = remediesOf(worktree);
  const document =
    applied === null
      ? retireDocument({ ...found, rows }, recovery, context.home)
      : retiredDocument(applied, recovery, context.home);
  context.stdout.write(
    flags.json ? jsonLine(document) : renderRetire(document, name, createStyle(context.stdout, context.env)),
  );
  if (worktree.some(({ action }) => action === 'keep')) return 2;
  const outcomes = [...(applied?.outcomes.values() ?? [])];
  // One that was named and stays is not what was asked for.
  if (worktree.some(({ id }) => applied?.outcomes.get(id)?.status === 'kept')) return 2;
  return outcomesExit(outcomes, applied === null, flags);
}

/** `rm NAME|PATH`: the same, at once. */
export function rm(context: Context, flags: Omit<RetireFlags, 'apply'>, name: string): Promise<number> {
  return retire(context, { ...flags, apply: true }, name);
}

/** The worktree that is meant, and its branch. @throws UserError `no-such-row`, `ambiguous` */
function chosen(context: Context, flags: RetireFlags, rows: readonly Row[], name: string): readonly Row[] {
  const worktrees = rows.filter(({ kind }) => kind === 'worktree');
  const found = findRows(worktrees, name, { directory: directoryOf(context, flags.directory), home: context.home });
  const [first] = found;
  if (first === undefined) {
    const hint = didYouMean(closeNames(worktrees, name)) ?? 'coppice list names every worktree';
    throw new UserError('no-such-row', encodeText(`no worktree here is called "${name}"`), { hint: encodeText(hint) });
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => decodeBytes(id)).join(', ');
    throw new UserError('ambiguous', encodeText(`"${name}" means several worktrees: ${ids}`), {
      hint: 'name one by its id',
    });
  }
  const branch = first.kind === 'worktree' && !flags.keepBranch ? first.state.branch : null;
  return [first, ...rows.filter((row) => branch !== null && row.id === `branch:${branch}`)];
}
