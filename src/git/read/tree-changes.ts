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
    if (round.kind === 'malformed') return giveUp(from, 'git listed a difference in a form that is not known');
    for (const index of round.skipped) unread.set(index, 'it is not here');
    if (round.kind === 'complete') return unread;
    const failed = Math.max(round.begun - 1, from);
    unread.set(failed, round.reason);
    from = failed + 1;
    if (restarts === MOST_RESTARTS) return giveUp(from, round.reason);
  }
  return unread;
}

/** `skipped`: pairs that git passed over without a word, since a tree of theirs is not here. */
type Round =
  | { readonly kind: 'complete'; readonly skipped: readonly number[] }
  | { readonly kind: 'malformed' }
  /** `begun`: the index behind the last pair that git began with. */
  | { readonly kind: 'failed'; readonly skipped: readonly number[]; readonly begun: number; readonly reason: string };

async function readFrom(git: Git, pairs: readonly TreePair[], from: number, reader: ChangeReader): Promise<Round> {
  const flags = ['-r', '--raw', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-relative'];
  const running = startGit(git, ['diff-tree', '--stdin', ...flags, '--ignore-submodules=none']);
  const writing = writePairs(running, pairs, from);
  const skipped: number[] = [];
  let begun = from;
  let sound = true;
  const parser = new RawDiffParser({
    pair: (before, after) => {
      const isAsked = (pair: TreePair | undefined) => pair?.before === before && pair.after === after;
      for (; begun < pairs.length && !isAsked(pairs[begun]); begun++) skipped.push(begun);
      sound &&= begun < pairs.length;
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
  if (ended.code !== 0 || !parser.isComplete()) return { kind: 'failed', skipped, begun, reason: complaint(ended) };
  for (; begun < pairs.length; begun++) skipped.push(begun);
  return { kind: 'complete', skipped };
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
