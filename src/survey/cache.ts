/**
 * Keeps how branches stand to the base, by the ids that it depends on. A cache that is damaged, or another account's,
 * is passed over; one that cannot be written costs time and nothing else.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Git } from '../git/run.ts';
import type { MergeFacts } from '../judge/facts/branch.ts';
import { type Fact, known } from '../judge/facts/fact.ts';
import type { RefName } from '../judge/facts/names.ts';
import type { ReflogEntry } from '../judge/graph/reflog.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { readBounded, writeAtomic } from '../system/files.ts';
import type { CachePlace } from './cache-place.ts';
import type { MergeSurvey } from './merge-facts.ts';
import type { MergeQuestion } from './subject.ts';

const MOST_BYTES = 128 * 1024 * 1024;

type Entries = Readonly<Record<string, MergeFacts>>;

/** What is asked about one branch; its reflog is read only when the cache does not know the branch. */
export interface CacheQuestion extends Omit<MergeQuestion, 'reflog'> {
  /** A text that stands for the reflog's contents; null: nothing does, so that nothing is kept. */
  stampReflog(): string | null;
  readReflog(): Fact<readonly ReflogEntry[]>;
}

export interface CacheSurvey extends Omit<MergeSurvey, 'readQuestions'> {
  readonly questions: readonly CacheQuestion[];
}

/** Answers from the cache what it knows, asks git for the rest, and keeps both. */
export async function readCached(
  git: Git,
  survey: CacheSurvey,
  place: CachePlace | null,
): Promise<ReadonlyMap<RefName, Fact<MergeFacts>>> {
  const key = place === null ? '' : JSON.stringify([place.key, survey.base, survey.localBase]);
  const kept = place === null ? {} : readEntries(place, key);
  const facts = new Map<RefName, Fact<MergeFacts>>();
  const names = new Map<RefName, string>();
  const open: CacheQuestion[] = [];
  for (const question of survey.questions) {
    const { ref, tip, upstream } = question;
    const stamp = place === null ? null : question.stampReflog();
    const name = stamp === null ? null : `${tip} ${upstream} ${stamp}`;
    if (name !== null) names.set(ref, name);
    const entry = name === null ? undefined : kept[name];
    if (entry === undefined) open.push(question);
    else facts.set(ref, known(entry));
  }
  if (open.length === 0) return facts;
  // The ladder is most of the program; a run that needs none of it need not load it.
  const { readMergeFacts } = await import('./merge-facts.ts');
  const readQuestions = () => {
    const questions: MergeQuestion[] = [];
    for (const { ref, tip, upstream, readReflog } of open) {
      const reflog = readReflog();
      if (reflog.kind === 'unknown') facts.set(ref, reflog);
      else questions.push({ ref, tip, upstream, reflog: reflog.kind === 'known' ? reflog.value : [] });
    }
    return questions;
  };
  for (const [ref, fact] of await readMergeFacts(git, { ...survey, readQuestions })) facts.set(ref, fact);
  if (place !== null) writeEntries(place, key, names, facts);
  return facts;
}

function readEntries(place: CachePlace, key: string): Entries {
  const contents = readBounded(place.file, MOST_BYTES, place.account === null ? {} : { owner: place.account });
  if (contents.kind !== 'known') return {};
  const text = contents.value.toString('utf8');
  const at = text.indexOf('\n');
  const body = text.slice(at + 1);
  if (at < 0 || text.slice(0, at) !== digest(body)) return {};
  const kept = JSON.parse(body) as { readonly key: string; readonly entries: Entries };
  return kept.key === key ? kept.entries : {};
}

function writeEntries(
  place: CachePlace,
  key: string,
  names: ReadonlyMap<RefName, string>,
  facts: ReadonlyMap<RefName, Fact<MergeFacts>>,
): void {
  const entries: Record<string, MergeFacts> = {};
  for (const [ref, fact] of facts) {
    const name = names.get(ref);
    // What contents could not tell today they may tell once they are here.
    if (name !== undefined && fact.kind === 'known' && !fact.value.blind) entries[name] = fact.value;
  }
  const body = JSON.stringify({ key, entries });
  keep(place.file, `${digest(body)}\n${body}`);
}

/** Writes a file of the cache, if that can be done: on a full or read-only disk the next run asks git again. */
export function keep(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    writeAtomic(file, Buffer.from(text, 'utf8'), 0o600);
  } catch (fault) {
    if (!(fault instanceof UserError) && (fault as NodeJS.ErrnoException).code === undefined) throw fault;
  }
}

/** Makes a folder and those above it. Node's own recursive way never ends where the system makes none, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
