/**
 * One situation and the right verdict on each of its branches: what happens to it, and the word for why.
 *
 * Without `{ publish: false }`, main is pushed after the situation is built, and made the remote's default branch.
 */
import { expect, it } from 'vitest';
import { branchesOf, type BranchRow, type CliOptions, look } from './cli.ts';
import { type Repository, temporaryRepository } from './repository.ts';
import type { Start } from './template.ts';

export interface Verdict {
  readonly action: 'delete' | 'keep';
  /** The reason's code; several where the rules leave it open. */
  readonly reason: readonly string[];
  /** Codes that must be among the evidence. */
  readonly evidence: readonly string[];
}

/** The branch goes. */
export function goes(...reason: readonly string[]): Verdict {
  return { action: 'delete', reason, evidence: [] };
}

/** The branch stays. */
export function stays(...reason: readonly string[]): Verdict {
  return { action: 'keep', reason, evidence: [] };
}

/** The same verdict, with codes that must be among the evidence as well. */
export function also(verdict: Verdict, ...evidence: readonly string[]): Verdict {
  return { ...verdict, evidence };
}

export type Verdicts = Readonly<Record<string, Verdict>>;

export interface ScenarioOptions {
  readonly start?: Start;
  /** False: what was built is the whole situation, main is not pushed. */
  readonly publish?: boolean;
  /** More to say about how coppice is run. */
  readonly run?: (repository: Repository) => Partial<CliOptions>;
}

export type Build = (repository: Repository) => void;

/** A test of one situation. */
export function scenario(title: string, verdicts: Verdicts, build: Build, options: ScenarioOptions = {}): void {
  it(title, async () => {
    const repository = temporaryRepository(options.start);
    build(repository);
    if (options.publish !== false) repository.publish();
    expectVerdicts(branchesOf(await look(repository, options.run?.(repository))), verdicts);
  });
}

/** Fails, with all the evidence, unless each branch got its verdict. */
export function expectVerdicts(rows: ReadonlyMap<string, BranchRow>, verdicts: Verdicts): void {
  for (const [name, verdict] of Object.entries(verdicts)) {
    const row = rows.get(name);
    if (row === undefined) throw new Error(`no row for ${name}, only for ${[...rows.keys()].join(', ')}`);
    const told = `${name}: ${JSON.stringify({ reason: row.reason, evidence: row.evidence }, null, 1)}`;
    expect(row.action, told).toBe(verdict.action);
    expect(verdict.reason, told).toContain(row.reason.code);
    expect(
      row.evidence.map((evidence) => evidence.code),
      told,
    ).toEqual(expect.arrayContaining([...verdict.evidence]));
    expectSense(row, told);
  }
}

/** What holds for every row whatever its verdict. */
function expectSense(row: BranchRow, told: string): void {
  const effects = row.evidence.map((evidence) => evidence.effect);
  if (row.action === 'delete') {
    expect(effects, told).toContain('spent');
    expect(effects, told).not.toContain('holds');
    expect(
      row.evidence.filter(({ effect }) => effect === 'spent').every(({ grade }) => grade === 'proven'),
      told,
    ).toBe(true);
  } else {
    expect(effects, told).toContain('holds');
  }
  expect(
    row.evidence.map((evidence) => evidence.code),
    told,
  ).toContain(row.reason.code);
  expect(row.reason.text, told).not.toBe('');
}
