import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src/config/load.ts';
import { readTrust, trust } from '../../src/config/trust.ts';
import { ACCOUNT, place, scratch } from './support.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const ENTRY = { sha256: A, at: '2026-11-30T12:00:00Z' };

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function home(): { coppiceHome: string; account: number; file: string } {
  const coppiceHome = join(scratch(), '.coppice');
  return { coppiceHome, account: ACCOUNT, file: join(coppiceHome, 'trust.json') };
}

describe('the list of trusted contents', () => {
  it('is written, read, and written again only for news', () => {
    const at = home();
    expect(readTrust(at)).toEqual({ kind: 'absent' });
    trust(A, at, NOW);
    expect(readTrust(at)).toEqual({ kind: 'known', value: new Set([A]) });
    expect(JSON.parse(readFileSync(at.file, 'utf8'))).toEqual({
      schema: 'coppice.trust.v1',
      trusted: [{ sha256: A, at: '2026-11-30T12:00:00.000Z' }],
    });
    trust(B, at, NOW + 1000);
    const before = lstatSync(at.file);
    trust(A, at, NOW + 2000);
    expect(lstatSync(at.file).ino).toBe(before.ino);
    expect(readTrust(at)).toEqual({ kind: 'known', value: new Set([A, B]) });
    expect(before.mode & 0o777).toBe(0o600);
    expect(lstatSync(at.coppiceHome).mode & 0o777).toBe(0o700);
    expect(readdirSync(at.coppiceHome)).toEqual(['trust.json']);
  });

  it('drops the oldest when it is full', () => {
    const at = home();
    mkdirSync(at.coppiceHome, { mode: 0o700 });
    const trusted = Array.from({ length: 5000 }, (_, index) => ({ ...ENTRY, sha256: sha256(String(index)) }));
    writeFileSync(at.file, JSON.stringify({ schema: 'coppice.trust.v1', trusted }), { mode: 0o600 });
    trust(A, at, NOW);
    const hashes = readTrust(at);
    if (hashes.kind !== 'known') throw new Error('not read');
    expect([hashes.value.size, hashes.value.has(A), hashes.value.has(sha256('0'))]).toEqual([5000, true, false]);
  });

  it.each(['', 'A'.repeat(64), 'a'.repeat(63), `${A}\n`])('takes no %j', (hash) => {
    expect(() => trust(hash, home(), NOW)).toThrow('needs a sha256');
  });

  it.each([
    ['', 'no JSON'],
    ['{', 'no JSON'],
    [Buffer.from('{"schema":"\xff"}', 'latin1'), 'no JSON'],
    ['null', 'no schema'],
    ['[]', 'no schema'],
    ['{}', 'no schema'],
    [{ schema: 1, trusted: [] }, 'no schema'],
    [{ schema: 'coppice.trust.v2', trusted: [ENTRY] }, 'its schema is not coppice.trust.v1'],
    [{ schema: 'coppice.trust.v1' }, 'does not follow'],
    [{ schema: 'coppice.trust.v1', trusted: {} }, 'does not follow'],
    [{ schema: 'coppice.trust.v1', trusted: [A] }, 'does not follow'],
    [{ schema: 'coppice.trust.v1', trusted: [{ ...ENTRY, sha256: 'A'.repeat(64) }] }, 'does not follow'],
    [{ schema: 'coppice.trust.v1', trusted: [ENTRY, { ...ENTRY, sha256: `${A}\n` }] }, 'does not follow'],
    [{ schema: 'coppice.trust.v1', trusted: [{ ...ENTRY, at: 'yesterday' }] }, 'does not follow'],
    [{ schema: 'coppice.trust.v1', trusted: [{ ...ENTRY, why: 'x' }] }, 'does not follow'],
    [{ schema: 'coppice.trust.v1', trusted: [ENTRY], also: 1 }, 'does not follow'],
    [{ schema: 'coppice.trust.v1', trusted: Array(5001).fill(ENTRY) }, 'does not follow'],
    [' '.repeat(1024 * 1024 + 1), 'larger than'],
  ])('malformed, nothing is trusted and nothing overwritten (%#)', (content, reason) => {
    const at = home();
    mkdirSync(at.coppiceHome, { mode: 0o700 });
    writeFileSync(
      at.file,
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
      { mode: 0o600 },
    );
    const before = readFileSync(at.file);
    expect(readTrust(at)).toEqual({ kind: 'unknown', reason: expect.stringContaining(reason) });
    expect(() => trust(B, at, NOW)).toThrow(`${at.file} is not changed: `);
    expect(readFileSync(at.file).equals(before)).toBe(true);
  });

  it('counts only when nobody else may have written it', () => {
    const at = home();
    trust(A, at, NOW);
    chmodSync(at.file, 0o620);
    expect(readTrust(at)).toEqual({ kind: 'unknown', reason: 'others may write it' });
    chmodSync(at.file, 0o600);
    chmodSync(at.coppiceHome, 0o770);
    expect(readTrust(at)).toEqual({ kind: 'unknown', reason: `${at.coppiceHome}: others may write it` });
    expect(() => trust(B, at, NOW)).toThrow('others may write it');
    chmodSync(at.coppiceHome, 0o700);
    expect(readTrust({ ...at, account: ACCOUNT + 1 })).toMatchObject({ kind: 'unknown' });
  });

  it.skipIf(ACCOUNT !== 0)("is not another account's", () => {
    const at = home();
    trust(A, at, NOW);
    chownSync(at.file, 65_534, 65_534);
    expect(readTrust(at)).toEqual({ kind: 'unknown', reason: 'it belongs to user 65534, not to 0' });
  });

  it('is read through no link', () => {
    const at = home();
    trust(A, at, NOW);
    const folder = scratch();
    symlinkSync(at.coppiceHome, join(folder, 'home'));
    expect(readTrust({ ...at, coppiceHome: join(folder, 'home') })).toMatchObject({ kind: 'unknown' });
    mkdirSync(join(folder, 'other'), { mode: 0o700 });
    symlinkSync(at.file, join(folder, 'other', 'trust.json'));
    expect(readTrust({ ...at, coppiceHome: join(folder, 'other') })).toEqual({
      kind: 'unknown',
      reason: 'it is a symbolic link',
    });
  });
});

describe("a repository's rules", () => {
  const RULES = 'base = "next"\nignored.rebuildable = ["out"]\nignored.precious = "hold"\nidle = "48h"\n';

  it('count only while trusted, and a warning says so', () => {
    const made = place({ repository: RULES });
    const { settings, warnings, files } = made.load();
    expect(settings).toMatchObject({
      base: null,
      'ignored.rebuildable': [],
      'ignored.precious': 'archive',
      idle: 172_800_000,
    });
    expect(warnings.map(({ code, key }) => [code, key])).toEqual([
      ['setting-untrusted', 'base'],
      ['setting-untrusted', 'ignored.rebuildable'],
      ['setting-untrusted', 'ignored.precious'],
    ]);
    expect(files.repository).toEqual({ path: made.repositoryFile, sha256: sha256(RULES), trusted: false });
    expect(readdirSync(made.home)).toEqual([]);

    trust(sha256(RULES), { coppiceHome: join(made.home, '.coppice'), account: ACCOUNT }, NOW);
    const now = made.load();
    expect(now.settings).toMatchObject({ base: 'next', 'ignored.rebuildable': ['out'], 'ignored.precious': 'hold' });
    expect(now.sources).toMatchObject({ base: 'repository', 'ignored.rebuildable': 'repository' });
    expect(now.warnings).toEqual([]);

    writeFileSync(made.repositoryFile, `${RULES}\n`);
    expect(made.load().settings).toMatchObject({ base: null, 'ignored.rebuildable': [] });
  });

  it('never take what the user said, trusted or not', () => {
    const made = place({
      user: 'base = "mine"\nignored.precious = "hold"\nignored.rebuildable = ["a"]\nignored.archiveUpTo = "1K"',
      repository: 'base = "theirs"\nignored = { precious = "archive", rebuildable = ["b"], archiveUpTo = "2K" }',
    });
    trust(
      made.load().files.repository?.sha256 ?? '',
      { coppiceHome: join(made.home, '.coppice'), account: ACCOUNT },
      NOW,
    );
    const { settings, warnings } = made.load();
    expect(settings).toMatchObject({
      base: 'mine',
      'ignored.precious': 'hold',
      'ignored.rebuildable': ['a', 'b'],
      'ignored.archiveUpTo': 1024,
    });
    expect(warnings.map(({ code, key }) => [code, key])).toEqual([
      ['setting-weaker', 'ignored.precious'],
      ['setting-weaker', 'ignored.archiveUpTo'],
    ]);
  });

  it('lie unused when the list cannot be read, and that is said', () => {
    const made = place({ repository: RULES });
    const coppiceHome = join(made.home, '.coppice');
    trust(sha256(RULES), { coppiceHome, account: ACCOUNT }, NOW);
    writeFileSync(join(coppiceHome, 'trust.json'), '{}');
    const { settings, warnings } = made.load();
    expect(settings['ignored.rebuildable']).toEqual([]);
    expect(warnings[0]).toEqual({
      code: 'trust-unreadable',
      key: null,
      text: expect.stringContaining(`${join(coppiceHome, 'trust.json')}: it names no schema`),
    });
    expect(warnings).toHaveLength(4);
  });

  it('need an account and a home', () => {
    const made = place({ repository: RULES });
    trust(sha256(RULES), { coppiceHome: join(made.home, '.coppice'), account: ACCOUNT }, NOW);
    for (const missing of [{ account: null }, { home: null }]) {
      const { settings, warnings } = loadSettings({ ...made.where, ...missing });
      expect(settings.base).toBeNull();
      expect(warnings.map(({ code }) => code)).toContain('trust-unreadable');
    }
  });

  it('the list lies in COPPICE_HOME, and where macOS does not index it', () => {
    const made = place({ repository: RULES });
    trust(sha256(RULES), { coppiceHome: join(made.folder, 'elsewhere'), account: ACCOUNT }, NOW);
    expect(loadSettings({ ...made.where, env: { COPPICE_HOME: `${made.folder}/elsewhere/` } }).settings.base).toBe(
      'next',
    );
    expect(() => loadSettings({ ...made.where, env: { COPPICE_HOME: 'elsewhere' } })).toThrow(
      'COPPICE_HOME must be an absolute path',
    );
    trust(sha256(RULES), { coppiceHome: join(made.home, '.coppice.noindex'), account: ACCOUNT }, NOW);
    expect(loadSettings({ ...made.where, platform: 'darwin' }).settings.base).toBe('next');
    expect(made.load().settings.base).toBeNull();
  });

  it('a file without such rules asks nothing of the list', () => {
    const made = place({ repository: 'idle = "48h"' });
    mkdirSync(join(made.home, '.coppice'), { mode: 0o777 });
    expect(made.load().warnings).toEqual([]);
  });
});
