import { buildCommand } from '@stricli/core';
import { ACTING_VERBS } from './commands/support/acting-verbs.ts';
import { dispatch } from './commands/support/dispatch.ts';
import {
  COMMON_ALIASES,
  COMMON_FLAGS,
  type CommonFlags,
  flagTable,
  type ListFlags,
  SURVEY_FLAGS,
  type SurveyFlags,
  type SweepFlags,
  sizeFlag,
  switchFlag,
  type UnlockFlags,
} from './commands/support/flags.ts';
import { LEASE_FLAGS, type LeaseFlags, RUN_FLAGS, type RunFlags } from './commands/support/claim-flags.ts';
import { ASKED_KINDS } from './commands/support/survey.ts';
import { lazily, type Verb, type VerbContext } from './commands/support/verb.ts';
import type { Context } from './context.ts';

// -C and --exit-zero change nothing for verbs that look at no repository, but a wrapper may always pass them.
const LIST_FLAGS = {
  json: COMMON_FLAGS.json,
  exitZero: { ...COMMON_FLAGS.exitZero, default: false, hidden: true },
  directory: { ...COMMON_FLAGS.directory, hidden: true },
} as const;

/** The command table. Help, reference and completion are generated from it. */
export const VERBS: readonly Verb[] = [
  {
    name: 'sweep',
    command: buildCommand<SweepFlags, [], VerbContext>({
      loader: lazily(async () => (await import('./commands/sweep.ts')).sweep),
      parameters: {
        flags: flagTable({
          only: {
            kind: 'enum',
            values: ASKED_KINDS,
            placeholder: 'KIND',
            brief: 'Look at these kinds only',
            optional: true,
            variadic: ',',
          },
          budget: sizeFlag(
            'With --only cache: let what tools make again take up to this size together, such as 50G; the oldest goes first',
          ),
          ...SURVEY_FLAGS,
          apply: switchFlag('Do it: put aside what would go'),
          all: switchFlag('Name every row that is kept instead of counting them'),
          ...COMMON_FLAGS,
        }),
        aliases: COMMON_ALIASES,
      },
      docs: { brief: 'every leftover: what would go, what stays, and why' },
    }),
    about: [
      'Reads the remote first (a fetch without pruning), then judges every worktree and every local branch. Nothing is changed without --apply.',
      'With --apply everything is read again under the lock of the repository, and what both looks say the same of goes: a worktree is moved into the trash, as it is, and looked at again there; a branch is deleted after all that brings it back is put aside. coppice undo brings either back until its time in the trash is over.',
      'A cache is what tools make again in one linked worktree that stays, such as node_modules. It is looked at only when it is asked for, by --only cache: all of it goes where nobody is or was a short while ago. No remote is read for that.',
      'Exit code 0 when something would go or went, 1 when nothing, 2 when it cannot be told or something could not be put aside, 3 when another coppice works on the repository for too long.',
    ],
    examples: [
      { command: 'coppice sweep', what: 'what would go from the repository around this folder' },
      { command: 'coppice sweep --apply', what: 'put aside what would go, and print how to undo it' },
      {
        command: 'coppice sweep --only cache --budget 50G',
        what: 'what tools make again, the oldest first, until it takes no more than that',
      },
      { command: 'coppice sweep --only branch --all', what: 'every local branch by name, with the reason' },
      {
        command: 'coppice -C ~/src/app sweep --no-fetch --json',
        what: 'as one JSON document, without reading the remote',
      },
    ],
  },
  {
    name: 'list',
    command: buildCommand<ListFlags, [], VerbContext>({
      loader: lazily(async () => (await import('./commands/list.ts')).list),
      parameters: {
        flags: flagTable({
          base: SURVEY_FLAGS.base,
          remote: SURVEY_FLAGS.remote,
          // It reads nothing of the remote anyway; a wrapper may always pass them.
          noFetch: { ...SURVEY_FLAGS.noFetch, default: false, hidden: true },
          offline: { ...SURVEY_FLAGS.offline, default: false, hidden: true },
          ...COMMON_FLAGS,
        }),
        aliases: COMMON_ALIASES,
      },
      docs: { brief: 'worktrees at a glance: state, age, size, merged or not, what sweep would take' },
    }),
    about: [
      'Reads every worktree and nothing of the remote: merged or not is told by what was last fetched. On a terminal the names come at once and the rest as it is read.',
      'Age counts from the newest write to its own files, size is what its folder takes on the disk. Always exit code 0, also when there is none.',
    ],
    examples: [
      { command: 'coppice list', what: 'the worktrees of the repository around this folder' },
      { command: 'coppice list --json', what: 'as one JSON document' },
    ],
  },
  {
    name: 'explain',
    command: buildCommand<SurveyFlags, [name: string], VerbContext>({
      loader: lazily(async () => (await import('./commands/explain.ts')).explain),
      parameters: {
        flags: flagTable({ ...SURVEY_FLAGS, ...COMMON_FLAGS }),
        aliases: COMMON_ALIASES,
        positional: {
          kind: 'tuple',
          parameters: [{ parse: String, placeholder: 'NAME|PATH', brief: 'A row id, a path, a branch or a worktree' }],
        },
      },
      docs: { brief: 'the whole evidence of one row, with commands that check it' },
    }),
    about: [
      'NAME is an exact row id, a path, a branch name or the name of a worktree, in this order. When several rows answer to it, all of them are shown.',
      'Exit code 0 when there is such a row, 2 when there is none.',
    ],
    examples: [
      { command: 'coppice explain feature/login', what: 'why this branch goes or stays' },
      { command: 'coppice explain --json branch:refs/heads/main', what: 'one exact row, as JSON' },
    ],
  },
  ...ACTING_VERBS,
  {
    name: 'doctor',
    command: buildCommand<CommonFlags, [], VerbContext>({
      loader: lazily(async () => (await import('./commands/doctor.ts')).doctor),
      parameters: { flags: flagTable(COMMON_FLAGS), aliases: COMMON_ALIASES },
      docs: { brief: 'what is broken or stale, and the command that mends it where one does' },
    }),
    about: [
      'Looks at the repository, its worktrees and the settings, asks no remote and mends nothing.',
      'Exit code 0 when nothing is broken or stale, 1 when something is, 2 when it cannot be told.',
    ],
    examples: [{ command: 'coppice doctor', what: 'what to mend in the repository around this folder' }],
  },
  {
    name: 'unlock',
    command: buildCommand<UnlockFlags, [], VerbContext>({
      loader: lazily(async () => (await import('./commands/unlock.ts')).unlock),
      parameters: {
        flags: flagTable({
          dead: switchFlag('Take away the locks of processes that are gone'),
          ...COMMON_FLAGS,
        }),
        aliases: COMMON_ALIASES,
      },
      docs: { brief: 'take away the locks of sessions that are dead' },
    }),
    about: [
      "With --dead it takes away git's lock of every worktree whose owner, by the lock's own reason (pid and start time), is proven to be gone. A lock without an owner, or with one that may be there, stays. What was locked can be locked again: the command is printed.",
      'Exit code 0 when one was taken away, 1 when there was none, 2 when one could not be, 3 when another coppice works on the repository for too long.',
    ],
    examples: [{ command: 'coppice unlock --dead', what: 'after coppice doctor or a sweep named such locks' }],
  },
  {
    name: 'lease',
    command: buildCommand<LeaseFlags, [action: string, ...words: string[]], VerbContext>({
      loader: lazily(async () => (await import('./commands/lease.ts')).lease),
      parameters: {
        flags: flagTable(LEASE_FLAGS),
        aliases: COMMON_ALIASES,
        positional: actionAnd('acquire|heartbeat|release|show|run', 'What to do; after run comes -- and a command'),
      },
      docs: { brief: 'who uses a worktree on this machine, and until when' },
    }),
    about: [
      'acquire takes the lease of a worktree and writes its token to a file; with the token it renews. heartbeat tells that somebody is still there, release gives it back; both need the token, from --token-file or COPPICE_LEASE_TOKEN, and work from any checkout, also when the worktree is gone. show tells what there is. run takes one, runs CMD, keeps it alive meanwhile and gives it back; its status is that of CMD.',
      'Exit code 0 when done, or when show finds a live lease; 1 when show finds none; 2 when refused; 3 when somebody else has it.',
    ],
    examples: [
      {
        command: 'coppice lease acquire --task T-12 --owner ash',
        what: 'for two hours, the worktree around this folder',
      },
      { command: 'coppice lease run --ttl 30m -- npm test', what: 'leased for as long as the command runs' },
      { command: 'coppice lease show --worktree ../app-login', what: 'who uses it' },
    ],
  },
  {
    name: 'run',
    command: buildCommand<RunFlags, [action: string, ...words: string[]], VerbContext>({
      loader: lazily(async () => (await import('./commands/run.ts')).run),
      parameters: {
        flags: flagTable(RUN_FLAGS),
        aliases: COMMON_ALIASES,
        positional: actionAnd('start|heartbeat|finish|list', 'What to do; heartbeat and finish take the ID of a run'),
      },
      docs: { brief: 'the work that an orchestrator has spread over worktrees' },
    }),
    about: [
      'start records a run and its lanes and prints its id; heartbeat tells that it goes on, as does the heartbeat of a lease on one of its lanes; finish ends it; list names all.',
      'Exit code 0 when done; 2 when refused, when there is no such run, or when list finds some that cannot be read; 3 when another coppice works on the repository for too long.',
    ],
    examples: [
      { command: 'coppice run start --title release --lane T-12=../app-login', what: 'a run of one lane' },
      { command: 'coppice run list', what: 'every run, and where it stands' },
    ],
  },
  {
    name: 'demo',
    command: buildCommand<CommonFlags, [], VerbContext>({
      loader: lazily(async () => (await import('./commands/demo.ts')).demo),
      parameters: { flags: flagTable(LIST_FLAGS), aliases: COMMON_ALIASES },
      docs: { brief: 'a throw-away repository to try it on' },
    }),
    about: ['Builds a small repository with typical leftovers in the folder for temporary files, and sweeps it.'],
    examples: [{ command: 'coppice demo', what: 'build one and look' }],
  },
  {
    name: 'schema',
    command: buildCommand<CommonFlags, [verb?: string], VerbContext>({
      loader: lazily(async () => (await import('./commands/schema.ts')).schema),
      parameters: {
        flags: flagTable(LIST_FLAGS),
        aliases: COMMON_ALIASES,
        positional: {
          kind: 'tuple',
          parameters: [{ parse: String, placeholder: 'VERB', brief: 'A verb that prints JSON', optional: true }],
        },
      },
      docs: { brief: 'the JSON Schema of what a verb prints with --json' },
    }),
    about: ['Without VERB it lists the schemas there are.'],
    examples: [{ command: 'coppice schema sweep', what: 'the schema of coppice sweep --json (draft 2020-12)' }],
  },
  {
    name: 'help',
    command: buildCommand<CommonFlags, [verb?: string], VerbContext>({
      loader: lazily(async () => {
        const { help } = await import('./commands/help.ts');
        return (context: Context, flags: CommonFlags, verb?: string) => help(context, VERBS, flags, verb);
      }),
      parameters: {
        flags: flagTable(LIST_FLAGS),
        aliases: COMMON_ALIASES,
        positional: {
          kind: 'tuple',
          parameters: [{ parse: String, placeholder: 'VERB', brief: 'A verb', optional: true }],
        },
      },
      docs: { brief: 'this overview, or the page of one verb' },
    }),
    about: [],
    examples: [{ command: 'coppice help sweep', what: 'the same as coppice sweep --help' }],
  },
];

/** An action, and what it takes. */
function actionAnd(placeholder: string, brief: string) {
  return { kind: 'array', minimum: 1, parameter: { parse: String, placeholder, brief } } as const;
}

/** Runs one call and gives its exit code. */
export function run(context: Context, argv: readonly string[]): Promise<number> {
  return dispatch(VERBS, context, argv);
}
