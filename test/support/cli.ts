/** Runs the built coppice as people do: a process of its own, with its own environment. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { type LeaseDocument, leaseSchema, type RunDocument, runSchema } from '../../src/contract/claims.ts';
import { type ErrorDocument, errorSchema } from '../../src/contract/error.ts';
import { type DoctorDocument, doctorSchema } from '../../src/contract/doctor.ts';
import {
  type ExplainDocument,
  explainSchema,
  type ListDocument,
  listSchema,
  type RetireDocument,
  retireSchema,
  type RowDocument,
  type SweepDocument,
  sweepSchema,
} from '../../src/contract/sweep.ts';
import { type HistoryDocument, historySchema } from '../../src/contract/history.ts';
import { type NotesDocument, notesSchema, type SalvageDocument, salvageSchema } from '../../src/contract/notes.ts';
import { type PurgeDocument, purgeSchema } from '../../src/contract/purge.ts';
import { type UndoDocument, undoSchema } from '../../src/contract/undo.ts';
import { type UnlockDocument, unlockSchema } from '../../src/contract/unlock.ts';
import type { Environment } from './environment.ts';
import { runAlongside } from './processes.ts';

export type Document =
  | SweepDocument
  | ExplainDocument
  | RetireDocument
  | ListDocument
  | DoctorDocument
  | UnlockDocument
  | UndoDocument
  | HistoryDocument
  | NotesDocument
  | SalvageDocument
  | PurgeDocument
  | LeaseDocument
  | RunDocument
  | ErrorDocument;
export type BranchRow = Extract<RowDocument, { kind: 'branch' }>;

/** The built program. */
export const entry = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const anyDocument = v.variant('schema', [
  sweepSchema,
  explainSchema,
  retireSchema,
  listSchema,
  doctorSchema,
  unlockSchema,
  undoSchema,
  historySchema,
  notesSchema,
  salvageSchema,
  purgeSchema,
  leaseSchema,
  runSchema,
  errorSchema,
]);

export interface CliOptions {
  /** Gets coppice's process id. */
  readonly onStart?: (pid: number) => void;
  readonly cwd: string;
  readonly env: Environment;
  readonly input?: string | Uint8Array;
  readonly timeout?: number;
  /** A program that starts it, and that program's own arguments. */
  readonly through?: readonly string[];
}

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The document, when `--json` was asked for; it obeys its published schema. */
  readonly json: Document | null;
}

/**
 * What a look that reaches for nothing outside of the machine is asked with. Tests make what they look at just before:
 * that alone is not to hold it.
 */
export const LOOK = ['sweep', '--json', '--no-fetch', '--offline', '--idle', '0s'] as const;

/** Runs coppice. With `--json` among the arguments, stdout must be exactly one document that obeys its schema. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  if (!existsSync(entry)) throw new Error(`${entry} is not built yet: node scripts/build.mjs`);
  const { through = [], ...rest } = options;
  const [program, ...before] = [...through, process.execPath];
  const finished = await runAlongside(program as string, [...before, entry, ...args], rest);
  const stdout = finished.stdout.toString('utf8');
  if (finished.signal === 'SIGKILL')
    throw new Error(`coppice ${args.join(' ')} did not end in time: ${finished.stderr}`);
  const end = args.indexOf('--');
  const json = (end < 0 ? args : args.slice(0, end)).includes('--json') ? parseDocument(stdout, finished.stderr) : null;
  return { code: finished.code, signal: finished.signal, stdout, stderr: finished.stderr, json };
}

/** A look at a repository that can be judged. */
export async function look(
  repository: { readonly work: string; readonly env: Environment },
  options: Partial<CliOptions> = {},
): Promise<SweepDocument> {
  const result = await runCli(LOOK, { cwd: repository.work, env: repository.env, ...options });
  return sweepOf(result);
}

/** The sweep document of a run; anything else fails the test. */
export function sweepOf(result: CliResult): SweepDocument {
  if (result.json?.schema !== 'coppice.sweep.v1') {
    throw new Error(`no sweep, but exit ${result.code}: ${result.stdout}${result.stderr}`);
  }
  const acting = result.json.rows.some((row) => row.action !== 'keep');
  const blind = result.code === 2;
  if (!blind && result.code !== (acting ? 0 : 1))
    throw new Error(`exit ${result.code} with ${acting ? 'acting rows' : 'keeps only'}`);
  return result.json;
}

/** The error document of a run; anything else fails the test. */
export function errorOf(result: CliResult): ErrorDocument {
  if (result.json?.schema !== 'coppice.error.v1')
    throw new Error(`no error, but exit ${result.code}: ${result.stdout}`);
  return result.json;
}

/** The branches of a sweep, by name. */
export function branchesOf(sweep: SweepDocument): Map<string, BranchRow> {
  const rows = sweep.rows.filter((row): row is BranchRow => row.kind === 'branch');
  return new Map(rows.map((row) => [row.name, row]));
}

/** Names of the branches that would go, sorted. */
export function actingBranches(sweep: SweepDocument): string[] {
  return [...branchesOf(sweep).values()]
    .filter((row) => row.action === 'delete')
    .map((row) => row.name)
    .sort();
}

/** The one document that a program printed; anything else fails the test. */
export function parseDocument(stdout: string, stderr: string): Document {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`stdout is not one JSON document: ${stdout.slice(0, 2000)}\n${stderr}`, { cause });
  }
  const parsed = v.safeParse(anyDocument, value);
  if (parsed.success) return parsed.output;
  throw new Error(
    `the document breaks its schema: ${JSON.stringify(v.flatten(parsed.issues))}\n${stdout.slice(0, 2000)}`,
  );
}
