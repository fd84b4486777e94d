import type { Oid } from '../../judge/facts/names.ts';
import { type RawEntry, RawDiffParser } from '../parse/raw-diff.ts';
import { complaint, type Git, type RunningGit, startGit } from '../run.ts';

/** Two trees to compare. */
export interface TreePair {
  readonly before: Oid;
  readonly after: Oid;
}

/** Told of each pair in the order asked. What it was told of a pair that ends up unread counts for nothing. */
export interface ChangeReader {
  entry(index: number, entry: RawEntry): void;
  /** Pair `index` begins; its paths follow. */
  begin(index: number): void;
}

/** Pairs that could not be compared, by index, and why. */
export type Unread = ReadonlyMap<number, string>;

/** A damaged repository is asked again behind each tree that is not there; this often at most. */
const MOST_RESTARTS = 8;

/** Compares pairs of trees in one process, or, where trees are missing, in one more for each up to a bound. */
export async function readTreeChanges(git: Git, pairs: readonly TreePair[], reader: ChangeReader): Promise<Unread> {
  const unread = new Map<number, string>();
  const giveUp = (from: number, reason: string) => {
    for (let index = from; index < pairs.length; index++) unread.set(index, reason);
    return unread;
  };
  let from = 0;
  for (let restarts = 0; from < pairs.length; restarts++) {
    const round = await readFrom(git, pairs, from, reader);
    if (round.kind === 'complete') return unread;
    if (round.kind === 'malformed') return giveUp(from, 'git listed a difference in a form that is not known');
    const failed = Math.max(round.begun - 1, from);
    unread.set(failed, round.reason);
    from = failed + 1;
    if (restarts === MOST_RESTARTS) return giveUp(from, round.reason);
  }
  return unread;
}

type Round =
  | { readonly kind: 'complete' }
  | { readonly kind: 'malformed' }
  /** `begun`: the index behind the last pair that git began with. */
  | { readonly kind: 'failed'; readonly begun: number; readonly reason: string };

async function readFrom(git: Git, pairs: readonly TreePair[], from: number, reader: ChangeReader): Promise<Round> {
  const flags = ['-r', '--raw', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-relative'];
  const running = startGit(git, ['diff-tree', '--stdin', ...flags, '--ignore-submodules=none']);
  const writing = writePairs(running, pairs, from);
  let begun = from;
  let sound = true;
  const parser = new RawDiffParser({
    pair: (before, after) => {
      const asked = pairs[begun];
      sound &&= asked?.before === before && asked.after === after;
      reader.begin(begun++);
    },
    entry: (entry) => {
      sound &&= begun > from;
      reader.entry(begun - 1, entry);
    },
    echo: () => {
      sound = false;
    },
  });
  for await (const chunk of running.output()) {
    if (parser.push(chunk) && sound) continue;
    running.stop();
    return { kind: 'malformed' };
  }
  await writing;
  const ended = await running.ended;
  if (ended.code === 0 && begun === pairs.length && parser.isComplete()) return { kind: 'complete' };
  return { kind: 'failed', begun, reason: complaint(ended) };
}

async function writePairs(running: RunningGit, pairs: readonly TreePair[], from: number): Promise<void> {
  let block = '';
  for (let index = from; index < pairs.length; index++) {
    const pair = pairs[index] as TreePair;
    block += `${pair.before} ${pair.after}\n`;
    if (block.length < 32_768) continue;
    await running.write(block);
    block = '';
  }
  running.end(block);
}
