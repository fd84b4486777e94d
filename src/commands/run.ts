import type { Context } from '../context.ts';
import { renderRuns } from '../render/claims.ts';
import { runDocument, type RunReport } from '../render/claims-document.ts';
import { encodeText } from '../render/decode.ts';
import { jsonLine } from '../render/json.ts';
import { actionOf, requireFlags, requireWords, RUN_ACTIONS, type RunFlags } from './support/claim-flags.ts';
import { directoryOf } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

const DAY = 24 * 60 * 60_000;
const HELP = 'coppice run --help shows how it is used';

/** `run ACTION`: the work that an orchestrator has spread over worktrees. */
export async function run(context: Context, flags: RunFlags, word: string, ...words: string[]): Promise<number> {
  const action = actionOf('run', word, RUN_ACTIONS);
  requireFlags('run', action, flags);
  const takesId = action === 'heartbeat' || action === 'finish';
  requireWords('run', action, words, takesId ? 1 : 0);
  const report = await reportOf(action, context, flags, words[0]);
  const document = runDocument(report, { home: context.home, now: context.now() });
  context.stdout.write(flags.json ? jsonLine(document) : renderRuns(document));
  // What cannot be read may be a run: then the list is not the whole.
  return report.unreadable.length > 0 ? 2 : 0;
}

async function reportOf(
  action: RunReport['action'],
  context: Context,
  flags: RunFlags,
  id: string | undefined,
): Promise<RunReport> {
  const directory = directoryOf(context, flags.directory);
  switch (action) {
    case 'start': {
      if (flags.title === undefined) throw usageError('missing-value', '--title needs a value', HELP);
      if (flags.lane === undefined || flags.lane.length === 0) {
        throw usageError('missing-value', '--lane needs a value', HELP);
      }
      const lanes = flags.lane.map(({ task, path }) => ({ task: encodeText(task), path }));
      const title = encodeText(flags.title);
      const started = await (await context.runs()).start({ directory, title, lanes, lease: flags.lease ?? DAY });
      return { action, runs: [started], unreadable: [] };
    }
    case 'heartbeat':
    case 'finish': {
      if (id === undefined) throw usageError('missing-argument', 'the id of the run is missing', HELP);
      const runs = await context.runs();
      const bytes = encodeText(id);
      const changed = await (action === 'finish' ? runs.finish(directory, bytes) : runs.keep(directory, bytes));
      return { action, runs: [changed], unreadable: [] };
    }
    case 'list':
      return { action, ...(await (await context.runs()).list(directory)) };
  }
}
