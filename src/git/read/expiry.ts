import { type Git, runGit } from '../run.ts';

const DAY = 24 * 60 * 60_000;
/** What git keeps reflogs for when nothing is set. */
const DEFAULT = 90 * DAY;

/** Milliseconds for which git would keep an entry of a reflog; null: for ever, or it cannot be told. */
export async function reflogKeep(git: Git, now: number): Promise<number | null> {
  const result = await runGit(git, ['config', '--type=expiry-date', '--get', 'gc.reflogExpire']);
  if (result.code === 1 && result.stdout.length === 0) return DEFAULT;
  const seconds = Number(result.stdout.toString('latin1').trim());
  if (result.code !== 0 || !Number.isSafeInteger(seconds) || seconds === 0) return null;
  return Math.max(0, now - seconds * 1000);
}
