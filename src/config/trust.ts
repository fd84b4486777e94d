import { join } from 'node:path';
import * as v from 'valibot';
import { absent, type Fact, known, unknown } from '../judge/facts/fact.ts';
import { UserError } from '../judge/facts/user-error.ts';
import { ensurePrivateDir, provePrivateDir, readBounded, writeAtomic } from '../system/files.ts';

const SCHEMA = 'coppice.trust.v1';
const LARGEST = 1024 * 1024;
/** So many entries fit well into `LARGEST`; the oldest make room. */
const MOST = 5000;
const HASH = /^[0-9a-f]{64}$/;

const TrustFile = v.strictObject({
  schema: v.literal(SCHEMA),
  trusted: v.pipe(
    v.array(
      v.strictObject({
        sha256: v.pipe(v.string(), v.regex(HASH)),
        at: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)),
      }),
    ),
    v.maxLength(MOST),
  ),
});

type Trusted = v.InferOutput<typeof TrustFile>['trusted'];

/** Whose trust, and where it is kept. */
export interface TrustPlace {
  /** coppice's own folder, absolute. */
  readonly coppiceHome: string;
  /** The user id of this account. */
  readonly account: number;
}

/**
 * The sha256 of every file content that this account trusts, lower-case hex. `absent`: nothing was ever trusted.
 * `unknown` when `trust.json` is malformed, of another version, too large, or may have been written by someone else;
 * then nothing is trusted.
 */
export function readTrust(place: TrustPlace): Fact<ReadonlySet<string>> {
  const list = readList(place);
  return list.kind === 'known' ? known(new Set(list.value.map(({ sha256 }) => sha256))) : list;
}

function readList({ coppiceHome, account }: TrustPlace): Fact<Trusted> {
  const folder = provePrivateDir(coppiceHome, { account });
  if (folder.kind === 'absent') return absent;
  if (folder.kind === 'unknown') return folder;
  const bytes = readBounded(join(coppiceHome, 'trust.json'), LARGEST, { owner: account });
  return bytes.kind === 'known' ? parseTrust(bytes.value) : bytes;
}

function parseTrust(bytes: Uint8Array): Fact<Trusted> {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (fault) {
    if (fault instanceof SyntaxError || fault instanceof TypeError) return unknown('it is no JSON');
    throw fault;
  }
  const version = v.safeParse(v.looseObject({ schema: v.string() }), document);
  if (!version.success) return unknown('it names no schema');
  if (version.output.schema !== SCHEMA) return unknown(`its schema is not ${SCHEMA}`);
  const file = v.safeParse(TrustFile, document);
  return file.success ? known(file.output.trusted) : unknown(`it does not follow ${SCHEMA}`);
}

/**
 * Trusts the file content with this sha256 (lower-case hex) from `now` (milliseconds since 1970) on. Two writers at the
 * same time may lose one entry, never gain one; callers who care hold a lock.
 *
 * Throws `UserError`: `trust-unreadable` when the present list cannot be read (it is not overwritten), `unsafe-folder`,
 * `write-failed`.
 */
export function trust(sha256: string, place: TrustPlace, now: number): void {
  if (!HASH.test(sha256)) throw new UserError('no-sha256', 'trust needs a sha256 in lower-case hex');
  ensurePrivateDir(place.coppiceHome, { account: place.account });
  const path = join(place.coppiceHome, 'trust.json');
  const list = readList(place);
  if (list.kind === 'unknown') throw new UserError('trust-unreadable', `${path} is not changed: ${list.reason}`);
  const before = list.kind === 'known' ? list.value : [];
  if (before.some((entry) => entry.sha256 === sha256)) return;
  const trusted = [...before, { sha256, at: new Date(now).toISOString() }].slice(-MOST);
  const text = `${JSON.stringify(v.parse(TrustFile, { schema: SCHEMA, trusted }), null, 2)}\n`;
  writeAtomic(path, Buffer.from(text, 'utf8'), 0o600);
}
