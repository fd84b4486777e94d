import { buildCommand } from '@stricli/core';
import {
  ageFlag,
  COMMON_ALIASES,
  COMMON_FLAGS,
  flagTable,
  type HistoryFlags,
  type NotesFlags,
  numberFlag,
  type PurgeFlags,
  type RetireFlags,
  SURVEY_FLAGS,
  switchFlag,
  type UndoFlags,
  valueFlag,
} from './flags.ts';
import { lazily, type Verb, type VerbContext } from './verb.ts';

const RETIRE_FLAGS = {
  ...SURVEY_FLAGS,
  keepBranch: switchFlag('Let its branch stay, merged or not'),
  ...COMMON_FLAGS,
} as const;

const ONE_WORKTREE = {
  kind: 'tuple',
  parameters: [{ parse: String, placeholder: 'NAME|PATH', brief: 'A row id, a path, a branch or a worktree' }],
} as const;

const NOTES_PARAMETERS = {
  flags: flagTable({
    all: switchFlag('list: those of all repositories'),
    to: valueFlag('DIR', 'restore: into this folder instead of the one where they were'),
    apply: switchFlag('delete: do it'),
    ...COMMON_FLAGS,
  }),
  aliases: COMMON_ALIASES,
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: {
      parse: String,
      placeholder: 'list|show|restore|delete',
      brief: 'What to do; all but list take the ID of a note',
    },
  },
} as const;

const NOTES_EXIT =
  'Exit code 0 when done, also when there is none to list; 2 when there is no such one, it cannot be read, or something is in the way; 3 when another coppice works on the repository for too long.';

/** The part of the command table that is about what was done: the way back, the record, the only real deletion. */
export const ACTING_VERBS: readonly Verb[] = [
  {
    name: 'retire',
    command: buildCommand<RetireFlags, [name: string], VerbContext>({
      loader: lazily(async () => (await import('../retire.ts')).retire),
      parameters: {
        flags: flagTable({ ...RETIRE_FLAGS, apply: switchFlag('Do it: move it into the trash') }),
        aliases: COMMON_ALIASES,
        positional: ONE_WORKTREE,
      },
      docs: { brief: 'one worktree through the same gate, its branch with it' },
    }),
    about: [
      'Judges one worktree as sweep does and, with --apply, moves it into the trash; its branch goes with it where that is spent as well. Naming it answers for a write a moment ago: --idle is 0s unless given.',
      'It also goes when the remote has just its commit, or with --keep-branch whatever became of its branch: then the branch stays. Work that is not committed keeps it in any case; what stands in the way is listed with the command that settles it, where one does.',
      'Exit code 0 when it would go or went, 2 when something holds it or it cannot be told, 3 when another coppice works on the repository for too long.',
    ],
    examples: [
      { command: 'coppice retire feature/login', what: 'whether it may go, and what stands in the way' },
      { command: 'coppice retire --keep-branch ~/src/app-login --apply', what: 'the folder goes, the branch stays' },
    ],
  },
  {
    name: 'rm',
    command: buildCommand<Omit<RetireFlags, 'apply'>, [name: string], VerbContext>({
      loader: lazily(async () => (await import('../retire.ts')).rm),
      parameters: { flags: flagTable(RETIRE_FLAGS), aliases: COMMON_ALIASES, positional: ONE_WORKTREE },
      docs: { brief: 'retire --apply: moves one worktree into the trash' },
    }),
    about: [
      'The same as coppice retire NAME --apply: never a deletion. It prints how to have it back.',
      'Exit codes are those of retire.',
    ],
    examples: [
      { command: 'coppice rm feature/login', what: 'the worktree of this branch, and the branch where it is spent' },
    ],
  },
  {
    name: 'undo',
    command: buildCommand<UndoFlags, [id?: string], VerbContext>({
      loader: lazily(async () => (await import('../undo.ts')).undo),
      parameters: {
        flags: flagTable({
          last: switchFlag('What was done last'),
          branch: valueFlag('NAME', 'The newest that took this branch away; beside an ID the same as --as'),
          as: valueFlag('NAME', 'Bring the branch back under this name, the worktree on a new branch of this name'),
          to: valueFlag('PATH', 'Bring the worktree back to this place'),
          detach: switchFlag('Bring the worktree back with its commit checked out, and no branch'),
          ...COMMON_FLAGS,
        }),
        aliases: COMMON_ALIASES,
        positional: {
          kind: 'tuple',
          parameters: [
            { parse: String, placeholder: 'ID|RUN', brief: 'As a sweep or history prints it', optional: true },
          ],
        },
      },
      docs: { brief: 'bring back what a sweep took away' },
    }),
    about: [
      'Makes the branch again with its commit, its reflog and its settings, byte for byte, and moves the worktree back with all that was in it and in its git directory; a branch of it that is gone comes back with it. RUN stands for all that one sweep did.',
      'A name that is taken or in use is left alone, as are a place that is taken, a branch that was moved since, and everything in a copy of the repository: --as, --to and --detach are the ways around.',
      'Exit code 0 when all of it is back, 2 when something is not, 3 when another coppice works on the repository for too long.',
    ],
    examples: [
      { command: 'coppice undo --last', what: 'all that the last sweep deleted' },
      { command: 'coppice undo --branch feature/login', what: 'one branch' },
    ],
  },
  {
    name: 'history',
    command: buildCommand<HistoryFlags, [], VerbContext>({
      loader: lazily(async () => (await import('../history.ts')).history),
      parameters: {
        flags: flagTable({ limit: numberFlag('At most so many, the newest'), ...COMMON_FLAGS }),
        aliases: COMMON_ALIASES,
      },
      docs: { brief: 'what coppice did here: what, when, by whom, why, and whether it can be undone' },
    }),
    about: ['Read from the journal. Always exit code 0, also when nothing was done yet.'],
    examples: [
      { command: 'coppice history', what: 'all of it, the newest first' },
      { command: 'coppice history --limit 5 --json', what: 'the last five as one JSON document' },
    ],
  },
  {
    name: 'notes',
    command: buildCommand<NotesFlags, [action: string, ...words: string[]], VerbContext>({
      loader: lazily(async () => (await import('../notes.ts')).notes),
      parameters: NOTES_PARAMETERS,
      docs: { brief: 'copies of ignored files that nothing makes again' },
    }),
    about: [
      'A worktree that is moved into the trash can hold files that git ignores and nothing makes again, such as .env. Copies of them are made first and kept until somebody deletes them, also when the trash is emptied. list names the notes, show what is in one, restore makes its files again where they were or in another folder and never writes over anything, delete shows one and with --apply deletes it for good.',
      NOTES_EXIT,
    ],
    examples: [
      { command: 'coppice notes list', what: 'the notes of this repository' },
      {
        command: 'coppice notes restore 20261130T120000Z-login-3f9a0c1d --to ../env',
        what: 'its files in another folder',
      },
    ],
  },
  {
    name: 'salvage',
    command: buildCommand<NotesFlags, [action: string, ...words: string[]], VerbContext>({
      loader: lazily(async () => (await import('../notes.ts')).salvage),
      parameters: NOTES_PARAMETERS,
      docs: { brief: 'copies of uncommitted work in worktrees that stayed' },
    }),
    about: [
      'A sweep that acts copies what differs from the commit in each worktree in a managed root that it keeps, unless the same was copied before or somebody is at work there; the worktree stays as it is. A copy has the files (tree), what was staged (staged), both sides of conflicts and the index, and patches that git can apply.',
      'list names the copies, show what is in one, restore makes it in the folder of --to, or only what is missing of the files where they were, and never writes over anything; delete shows one and with --apply deletes it for good.',
      NOTES_EXIT,
    ],
    examples: [
      { command: 'coppice salvage list', what: 'the copies of this repository' },
      {
        command: 'coppice salvage restore 20261130T120000Z-login-3f9a0c1d --to ../saved',
        what: 'all of one in another folder',
      },
    ],
  },
  {
    name: 'purge',
    command: buildCommand<PurgeFlags, [], VerbContext>({
      loader: lazily(async () => (await import('../purge.ts')).purge),
      parameters: {
        flags: flagTable({
          apply: switchFlag('Delete for good what is due'),
          all: switchFlag('All that is in the trash is due'),
          olderThan: ageFlag('What waited for longer than this is due, such as 2d'),
          id: valueFlag('ID', 'The trash of this run is due'),
          ...COMMON_FLAGS,
        }),
        aliases: COMMON_ALIASES,
      },
      docs: { brief: 'delete for good what waited in the trash for its time' },
    }),
    about: [
      'Shows what is in the trash and what is due. After that undo cannot bring it back. The anchors, which keep the commits, stay for the longer time of trash.keepRefs in any case.',
      'Exit code 0 when something is due or was deleted, 1 when nothing is, 2 when something could not be deleted, 3 when another coppice works on the repository for too long.',
    ],
    examples: [
      { command: 'coppice purge', what: 'what waits, and what is due' },
      { command: 'coppice purge --older-than 7d --apply', what: 'delete what waited for a week' },
    ],
  },
];
