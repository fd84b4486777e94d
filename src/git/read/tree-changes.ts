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
/** git keeps every tree that it compared; more pairs than this are given to two processes, one after the other. */
const MOST_AT_ONCE = 20_000;

/** Compares pairs of trees in one process or two, or, where trees are missing, in one more for each up to a bound. */
export async function readTreeChanges(git: Git, pairs: readonly TreePair[], reader: ChangeReader): Promise<Unread> {
  const unread = new Map<number, string>();
  const giveUp = (from: number, reason: string) => {
    for (let index = from; index < pairs.length; index++) unread.set(index, reason);
    return unread;
  };
  const half = pairs.length > MOST_AT_ONCE ? Math.ceil(pairs.length / 2) : pairs.length;
  let from = 0;
  let restarts = 0;
  while (from < pairs.length) {
    const part = { from, until: from < half ? half : pairs.length };
    const round = await readFrom(git, pairs, part, reader);
    if (round.kind === 'malformed') return giveUp(from, 'git listed a difference in a form that is not known');
    for (const index of round.skipped) unread.set(index, 'it is not here');
    from = part.until;
    if (round.kind === 'complete') continue;
    const failed = Math.max(round.begun - 1, part.from);
    unread.set(failed, round.reason);
    from = failed + 1;
    if (restarts++ === MOST_RESTARTS) return giveUp(from, round.reason);
  }
  return unread;
}

/** Places in a list, `until` not among them. */
interface Part {
  readonly from: number;
  readonly until: number;
}

/** `skipped`: pairs that git passed over without a word, since a tree of theirs is not here. */
type Round =
  | { readonly kind: 'complete'; readonly skipped: readonly number[] }
  | { readonly kind: 'malformed' }
  /** `begun`: the index behind the last pair that git began with. */
  | { readonly kind: 'failed'; readonly skipped: readonly number[]; readonly begun: number; readonly reason: string };

async function readFrom(git: Git, pairs: readonly TreePair[], part: Part, reader: ChangeReader): Promise<Round> {
  const { from, until } = part;
  const flags = ['-r', '--raw', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-relative'];
  const running = startGit(git, ['diff-tree', '--stdin', ...flags, '--ignore-submodules=none']);
  const writing = writePairs(running, pairs, part);
  const skipped: number[] = [];
  let begun = from;
  let sound = true;
  const parser = new RawDiffParser({
    pair: (before, after) => {
      const isAsked = (pair: TreePair | undefined) => pair?.before === before && pair.after === after;
      for (; begun < until && !isAsked(pairs[begun]); begun++) skipped.push(begun);
      sound &&= begun < until;
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
  for (; begun < until; begun++) skipped.push(begun);
  return { kind: 'complete', skipped };
}

async function writePairs(running: RunningGit, pairs: readonly TreePair[], { from, until }: Part): Promise<void> {
  let block = '';
  for (let index = from; index < until; index++) {
    const pair = pairs[index] as TreePair;
    block += `${pair.before} ${pair.after}\n`;
    if (block.length < 32_768) continue;
    await running.write(block);
    block = '';
  }
  running.end(block);
}
