/**
 * Keeps how branches stand to the base, by the ids that it depends on. A cache that is damaged, or another account's,
 * is passed over; one that cannot be written costs time and nothing else.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Git } from '../git/run.ts';
import type { MergeFacts } from '../judge/facts/branch.ts';
import { type Fact, known } from '../judge/facts/fact.ts';
import type { RefName } from '../judge/facts/names.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { readBounded, writeAtomic } from '../system/files.ts';
import type { CachePlace } from './cache-place.ts';
import { type MergeSurvey, readMergeFacts } from './merge-facts.ts';
import type { MergeQuestion } from './subject.ts';

const MOST_BYTES = 128 * 1024 * 1024;

type Entries = Readonly<Record<string, MergeFacts>>;

/** Answers from the cache what it knows, asks git for the rest, and keeps both. */
export async function readCached(git: Git, survey: MergeSurvey, place: CachePlace | null): Promise<ReadonlyMap<RefName, Fact<MergeFacts>>> {
  if (place === null) return readMergeFacts(git, survey);
  const key = JSON.stringify([place.key, survey.base, survey.localBase]);
  const kept = readEntries(place, key);
  const facts = new Map<RefName, Fact<MergeFacts>>();
  const names = new Map<RefName, string>();
  const questions: MergeQuestion[] = [];
  for (const question of survey.questions) {
    const name = nameOf(question);
    names.set(question.ref, name);
    const entry = kept[name];
    if (entry === undefined) questions.push(question);
    else facts.set(question.ref, known(entry));
  }
  if (questions.length === 0) return facts;
  for (const [ref, fact] of await readMergeFacts(git, { ...survey, questions })) facts.set(ref, fact);
  writeEntries(place, key, names, facts);
  return facts;
}

function nameOf({ tip, upstream, reflog }: MergeQuestion): string {
  const hash = createHash('sha256').update(`${tip} ${upstream}`);
  for (const entry of reflog) hash.update(`\n${entry.before} ${entry.after} ${entry.message}`, 'latin1');
  return hash.digest('base64url').slice(0, 32);
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

function writeEntries(place: CachePlace, key: string, names: ReadonlyMap<RefName, string>, facts: ReadonlyMap<RefName, Fact<MergeFacts>>): void {
  const entries: Record<string, MergeFacts> = {};
  for (const [ref, fact] of facts) {
    const name = names.get(ref);
    // What contents could not tell today they may tell once they are here.
    if (name !== undefined && fact.kind === 'known' && !fact.value.blind) entries[name] = fact.value;
  }
  const body = JSON.stringify({ key, entries });
  try {
    mkdirSync(dirname(place.file), { recursive: true, mode: 0o700 });
    writeAtomic(place.file, Buffer.from(`${digest(body)}\n${body}`, 'utf8'), 0o600);
  } catch (fault) {
    if (!(fault instanceof UserError) && (fault as NodeJS.ErrnoException).code === undefined) throw fault;
    // A full or read-only disk: the next run asks git again.
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
