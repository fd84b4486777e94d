import type { Applied } from '../../act/apply.ts';
import type { Choose, Context, SweepRequest } from '../../context.ts';
import type { LeftoverKind } from '../../judge/row.ts';
import type { Sweep } from '../../judge/sweep.ts';
import { startProgress } from '../../render/progress.ts';
import type { SurveyFlags } from './flags.ts';

/** The kinds of leftover that are read where nobody says which. */
export const KINDS: readonly LeftoverKind[] = ['worktree', 'branch'];

/** Those that can be asked for. */
export const ASKED_KINDS: readonly LeftoverKind[] = [...KINDS, 'cache'];

/** Surveys and judges the repository that the flags name, with a progress line while it waits. */
export function survey(
  context: Context,
  flags: SurveyFlags,
  kinds: readonly LeftoverKind[] | null,
  options: Options = {},
): Promise<Sweep> {
  return asking(context, flags, kinds, options, (request) => context.sweep(request));
}

/** The same, and does what the rows say. */
export function apply(
  context: Context,
  flags: SurveyFlags,
  kinds: readonly LeftoverKind[] | null,
  choose: Choose,
  options: Options = {},
): Promise<Applied> {
  return asking(context, flags, kinds, options, (request) => context.apply(request, choose));
}

type Options = Partial<Pick<SweepRequest, 'measure' | 'audit' | 'named' | 'budget' | 'sketch'>>;

async function asking<Answer>(
  context: Context,
  flags: SurveyFlags,
  kinds: readonly LeftoverKind[] | null,
  { measure = false, audit = false, named = null, budget = null, sketch }: Options,
  ask: (request: SweepRequest) => Promise<Answer>,
): Promise<Answer> {
  // A list that fills in shows by itself that something is going on.
  const progress = sketch === undefined ? startProgress(context.stderr, context.env) : null;
  try {
    return await ask({
      directory: directoryOf(context, flags.directory),
      base: flags.base ?? null,
      remote: flags.remote ?? null,
      fetch: !flags.noFetch && !flags.offline,
      kinds,
      budget,
      measure,
      audit,
      named,
      unused: flags.unused ?? null,
      idle: flags.idle ?? null,
      archiveUpTo: flags.archiveUpTo ?? null,
      progress: (text) => progress?.report(text),
      ...(sketch && { sketch }),
    });
  } finally {
    progress?.end();
  }
}

/** The folder that `-C` names, else the caller's. */
export function directoryOf(context: Context, directory: string | undefined): string {
  if (directory === undefined) return context.cwd;
  return directory.startsWith('/') ? directory : `${context.cwd.replace(/\/$/, '')}/${directory}`;
}
