import type { Context } from '../context.ts';
import { renderLease } from '../render/claims.ts';
import { leaseDocument, type LeaseReport } from '../render/claims-document.ts';
import { encodeText } from '../render/decode.ts';
import { errorDocument } from '../render/error-document.ts';
import { renderError } from '../render/error.ts';
import { jsonLine } from '../render/json.ts';
import { createStyle } from '../render/style.ts';
import { actionOf, LEASE_ACTIONS, type LeaseFlags, requireFlags, requireWords } from './support/claim-flags.ts';
import { directoryOf } from './support/survey.ts';
import { usageError } from './support/usage-error.ts';

const HOUR = 60 * 60_000;
const HELP = 'coppice lease --help shows how it is used';

/** `lease ACTION`: who uses a worktree, and until when. */
export async function lease(context: Context, flags: LeaseFlags, word: string, ...words: string[]): Promise<number> {
  const action = actionOf('lease', word, LEASE_ACTIONS);
  requireFlags('lease', action, flags);
  if (action === 'run') return runUnder(context, flags, words);
  requireWords('lease', action, words, 0);
  const report = await reportOf(action, context, flags);
  const document = leaseDocument(report, { home: context.home, now: context.now() });
  context.stdout.write(flags.json ? jsonLine(document) : renderLease(document));
  return action !== 'show' || report.outcome === 'live' || flags.exitZero ? 0 : 1;
}

type Action = Exclude<(typeof LEASE_ACTIONS)[number], 'run'>;

async function reportOf(action: Action, context: Context, flags: LeaseFlags): Promise<LeaseReport> {
  const asking = askingOf(context, flags);
  const keeping = { ...asking, tokenFile: flags.tokenFile ?? null };
  switch (action) {
    case 'acquire': {
      const taking = takingOf(context, flags);
      const { how, key, lease, tokenFile } = await (await context.leases()).acquire(taking);
      return { action, outcome: how, path: lease.worktree, key, lease, tokenFile, runs: [] };
    }
    case 'heartbeat': {
      const kept = await (await context.leases()).keep({ ...keeping, extend: flags.extend ?? null });
      return { action, outcome: 'kept', path: kept.lease.worktree, ...kept, tokenFile: null };
    }
    case 'release': {
      const { path, kept } = await (await context.leases()).release(keeping);
      const none = { key: null, lease: null, runs: [] };
      return { action, outcome: kept === null ? 'none' : 'released', path, ...(kept ?? none), tokenFile: null };
    }
    case 'show': {
      const { path, found, standing } = await (await context.leases()).show(asking);
      const { key, lease } = found ?? { key: null, lease: null };
      return { action, outcome: standing, path, key, lease, tokenFile: null, runs: [] };
    }
  }
}

/** `lease run -- CMD`: stdout is the command's, so that what coppice says goes to stderr. */
async function runUnder(context: Context, flags: LeaseFlags, words: readonly string[]): Promise<number> {
  const [program, ...args] = words;
  if (program === undefined) throw usageError('missing-argument', 'the command is missing', 'coppice lease run -- CMD');
  return (await context.leases()).runUnder(takingOf(context, flags), {
    program,
    args,
    started({ how, key, lease, tokenFile }) {
      if (!flags.json) return;
      const report = { action: 'run', outcome: how, path: lease.worktree, key, lease, tokenFile, runs: [] } as const;
      context.stderr.write(jsonLine(leaseDocument(report, { home: context.home, now: context.now() })));
    },
    trouble(error) {
      const document = errorDocument('lease', error, context.home);
      context.stderr.write(
        flags.json ? jsonLine(document) : renderError(document, createStyle(context.stderr, context.env)),
      );
    },
  });
}

function askingOf(context: Context, { directory, worktree }: LeaseFlags) {
  return { directory: directoryOf(context, directory), worktree: worktree ?? null };
}

function takingOf(context: Context, flags: LeaseFlags) {
  if (flags.steal !== (flags.because !== undefined)) {
    throw usageError('missing-value', '--steal and --because go together', HELP);
  }
  if (flags.ttl !== undefined && flags.until !== undefined) {
    throw usageError('repeated-flag', '--ttl and --until are given both', HELP);
  }
  const bytes = (text: string | undefined) => (text === undefined ? null : encodeText(text));
  return {
    ...askingOf(context, flags),
    term: flags.until === undefined ? { ttl: flags.ttl ?? 2 * HOUR } : { until: flags.until },
    about: {
      task: bytes(flags.task),
      pullRequest: flags.pr ?? null,
      gate: bytes(flags.gate),
      owner: bytes(flags.owner),
      purpose: bytes(flags.purpose),
    },
    tokenFile: flags.tokenFile ?? null,
    steal: bytes(flags.because),
  };
}
