/** The one lock under which a repository's state is written, and later everything else that coppice changes. */
import * as v from 'valibot';
import { UserError } from '../judge/facts/user-error.ts';
import { lockFile } from '../system/file-lock.ts';
import type { Self } from '../system/self.ts';
import { ensureState, type StateFolder, type StatePlace } from './place.ts';
import { parseJson, toJson } from './store.ts';
import { formatTime, time } from './time.ts';

export interface LockWorld {
  /** Milliseconds to wait for another process. */
  readonly lockWait: number;
  readonly self: Self;
  now(): number;
}

const Note = v.strictObject({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  start: v.nullable(v.number()),
  host: v.nullable(v.string()),
  since: time,
});

/**
 * Does `work` while this process alone holds the repository's lock. Its folder is made when it is missing.
 *
 * Throws `UserError`: `locked-by-another` with exit code 3 when another process holds it for longer than is waited,
 * `unsafe-folder`, `state-unusable`, `lock-unusable`, and what `work` throws.
 */
export async function withLifecycleLock<T>(
  place: StatePlace,
  world: LockWorld,
  work: (folder: StateFolder) => T | Promise<T>,
): Promise<T> {
  const folder = ensureState(place);
  const { pid, start, host } = world.self;
  const note = `${JSON.stringify(toJson({ pid, start, host, since: formatTime(world.now()) }))}\n`;
  const locking = await lockFile(`${folder.path}/lock`, { account: folder.account, wait: world.lockWait, note });
  if (locking.kind === 'busy') throw busy(locking.note, world.lockWait);
  try {
    return await work(folder);
  } finally {
    locking.release();
  }
}

function busy(note: string | null, wait: number): UserError {
  return new UserError(
    'locked-by-another',
    `${holderOf(note)} works on this repository; it was waited for ${Math.round(wait / 1000)} s`,
    { hint: 'try again when it is done', exit: 3 },
  );
}

/** In words. What the holder left is only told; a holder that is just taking it may not have left it yet. */
function holderOf(note: string | null): string {
  const document = note === null ? null : parseJson(Buffer.from(note, 'utf8'));
  const parsed = document?.kind === 'known' ? v.safeParse(Note, document.value) : null;
  if (parsed === null || !parsed.success) return 'another coppice';
  const { pid, host, since } = parsed.output;
  return `another coppice (process ${pid}${host === null ? '' : ` on ${host}`}, since ${formatTime(since)})`;
}
