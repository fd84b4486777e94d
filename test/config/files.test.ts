import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ensurePrivateDir, provePrivateDir, readBounded, writeAtomic } from '../../src/system/files.ts';
import { ACCOUNT, scratch, unprivileged } from './support.ts';

const isRoot = ACCOUNT === 0;

describe('reading a file', () => {
  it('gives the bytes, up to the bound', () => {
    const file = join(scratch(), 'file');
    const bytes = Buffer.alloc(200_000, 'ä\0\xff');
    writeFileSync(file, bytes);
    expect(readBounded(file, 200_000)).toEqual({ kind: 'known', value: bytes });
    expect(readBounded(file, 199_999)).toEqual({ kind: 'unknown', reason: 'it is larger than 199999 bytes' });
    writeFileSync(file, '');
    expect(readBounded(file, 0)).toEqual({ kind: 'known', value: Buffer.alloc(0) });
  });

  it('says absent only where nothing is', () => {
    const folder = scratch();
    expect(readBounded(join(folder, 'none'), 10)).toEqual({ kind: 'absent' });
    expect(readBounded(join(folder, 'none', 'deep', 'er'), 10)).toEqual({ kind: 'absent' });
  });

  it('calls a link to nothing unknown, also on the way', () => {
    const folder = scratch();
    symlinkSync(join(folder, 'unmounted'), join(folder, 'link'));
    expect(readBounded(join(folder, 'link'), 10, { follow: true })).toMatchObject({
      reason: 'it is a symbolic link to nothing',
    });
    const inside = readBounded(join(folder, 'link', 'coppice', 'config.toml'), 10, { follow: true });
    expect(inside).toEqual({ kind: 'unknown', reason: `${join(folder, 'link')} is a symbolic link to nothing` });
  });

  it('follows a final link only when told so', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'file'), 'x');
    symlinkSync('file', join(folder, 'link'));
    expect(readBounded(join(folder, 'link'), 10)).toEqual({ kind: 'unknown', reason: 'it is a symbolic link' });
    expect(readBounded(join(folder, 'link'), 10, { follow: true })).toEqual({ kind: 'known', value: Buffer.from('x') });
  });

  it.each([false, true])('refuses a loop of links (follow: %s)', (follow) => {
    const folder = scratch();
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    expect(readBounded(join(folder, 'a'), 10, { follow })).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('link'),
    });
  });

  it('refuses what is no file, without waiting for it', async () => {
    const folder = scratch();
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(readBounded(fifo, 10)).toEqual({ kind: 'unknown', reason: 'it is a FIFO, not a file' });
    expect(readBounded(folder, 10)).toEqual({ kind: 'unknown', reason: 'it is a folder, not a file' });
    expect(readBounded('/dev/zero', 10)).toEqual({ kind: 'unknown', reason: 'it is a device, not a file' });
    const socket = join(folder, 'socket');
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((done) => server.listen(socket, done));
    expect(readBounded(socket, 10)).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('socket') });
  });

  it('calls a file below a file unknown', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'file'), 'x');
    expect(readBounded(join(folder, 'file', 'x'), 10)).toMatchObject({
      reason: 'a part of its path is not a folder (ENOTDIR)',
    });
  });

  it('calls a file that may not be read unknown', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'secret'), 'x', { mode: 0o000 });
    const read = unprivileged(
      folder,
      'system/files.ts',
      'readBounded',
      `return readBounded(${JSON.stringify(join(folder, 'secret'))}, 10)`,
    );
    expect(read).toEqual({ kind: 'unknown', reason: 'permission denied (EACCES)' });
  });

  it('calls a file in a folder that may not be searched unknown', () => {
    const folder = scratch();
    mkdirSync(join(folder, 'closed'), { mode: 0o000 });
    const path = join(folder, 'closed', 'none');
    const read = unprivileged(
      folder,
      'system/files.ts',
      'readBounded',
      `return readBounded(${JSON.stringify(path)}, 10)`,
    );
    expect(read).toEqual({ kind: 'unknown', reason: 'permission denied (EACCES)' });
  });

  it('asks for an owner where one is named', () => {
    const file = join(scratch(), 'file');
    writeFileSync(file, 'x', { mode: 0o600 });
    expect(readBounded(file, 10, { owner: ACCOUNT }).kind).toBe('known');
    expect(readBounded(file, 10, { owner: ACCOUNT + 1 })).toMatchObject({
      reason: expect.stringContaining('belongs to user'),
    });
    for (const mode of [0o620, 0o602]) {
      chmodSync(file, mode);
      expect(readBounded(file, 10, { owner: ACCOUNT })).toMatchObject({ reason: 'others may write it' });
    }
  });

  it('reads what the kernel makes up', () => {
    expect(readBounded('/proc/version', 4096)).toMatchObject(process.platform === 'linux' ? { kind: 'known' } : {});
  });
});

describe('writing a file', () => {
  it('puts content and mode, over what was there', () => {
    const folder = scratch();
    const file = join(folder, 'state.json');
    writeAtomic(file, Buffer.from('one'), 0o600);
    writeAtomic(file, Buffer.alloc(300_000, 'two'), 0o644);
    expect(readFileSync(file).equals(Buffer.alloc(300_000, 'two'))).toBe(true);
    expect(lstatSync(file).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('leaves other names of the old file as they were', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'old'), 'old');
    linkSync(join(folder, 'old'), join(folder, 'state'));
    writeAtomic(join(folder, 'state'), Buffer.from('new'), 0o600);
    expect(readFileSync(join(folder, 'old'), 'utf8')).toBe('old');
  });

  it('replaces a link and never writes through it', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'target'), 'mine');
    symlinkSync('target', join(folder, 'state'));
    writeAtomic(join(folder, 'state'), Buffer.from('new'), 0o600);
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('mine');
    expect(lstatSync(join(folder, 'state')).isFile()).toBe(true);
  });

  it('fails without a trace', () => {
    const folder = scratch();
    mkdirSync(join(folder, 'state', 'inside'), { recursive: true });
    expect(() => writeAtomic(join(folder, 'state'), Buffer.from('x'), 0o600)).toThrow(
      /^cannot write .*state: it is a folder/,
    );
    expect(() => writeAtomic(join(folder, 'none', 'state'), Buffer.from('x'), 0o600)).toThrow('not there (ENOENT)');
    expect(readdirSync(folder)).toEqual(['state']);
  });

  it.skipIf(process.platform !== 'linux')('removes the temporary file when the disk is full', () => {
    const folder = scratch();
    // A limit on the size of files fails the write in its middle, as a full disk does.
    const script = `trap '' XFSZ; ulimit -f 8; exec "$0" "$1"`;
    const made = unprivilegedScript(
      folder,
      `writeAtomic(${JSON.stringify(join(folder, 'open', 'state'))}, Buffer.alloc(1_000_000), 0o600)`,
    );
    const out = execFileSync('bash', ['-c', script, process.execPath, made], { encoding: 'utf8' });
    expect(JSON.parse(out)).toEqual(['write-failed', expect.stringContaining('EFBIG')]);
    expect(readdirSync(join(folder, 'open'))).toEqual([]);
  });

  function unprivilegedScript(folder: string, body: string): string {
    mkdirSync(join(folder, 'open'), { mode: 0o777 });
    chmodSync(join(folder, 'open'), 0o777);
    // Run once to bundle it; what it writes is taken away again.
    unprivileged(folder, 'system/files.ts', 'writeAtomic', body);
    execFileSync('rm', ['-f', join(folder, 'open', 'state')]);
    return join(folder, 'unprivileged.mjs');
  }

  it('says why when the folder may not be written', () => {
    const folder = scratch();
    mkdirSync(join(folder, 'closed'), { mode: 0o555 });
    const path = join(folder, 'closed', 'state');
    const body = `writeAtomic(${JSON.stringify(path)}, Buffer.from('x'), 0o600)`;
    const written = unprivileged(folder, 'system/files.ts', 'writeAtomic', body);
    expect(written).toEqual(['write-failed', `cannot write ${path}: permission denied (EACCES)`]);
  });
});

describe('a private folder', () => {
  const options = { account: ACCOUNT };

  it('is made level by level, closed to others', () => {
    const home = join(scratch(), 'home');
    const old = process.umask(0);
    onTestFinished(() => void process.umask(old));
    ensurePrivateDir(join(home, 'notes', 'abc'), { ...options, from: home });
    for (const level of [home, join(home, 'notes'), join(home, 'notes', 'abc')]) {
      expect(lstatSync(level).mode & 0o777).toBe(0o700);
    }
    ensurePrivateDir(join(home, 'notes', 'abc'), { ...options, from: home });
  });

  it('may be readable for others, not writable', () => {
    const home = join(scratch(), 'home');
    mkdirSync(home);
    chmodSync(home, 0o755);
    ensurePrivateDir(home, options);
    for (const mode of [0o770, 0o707, 0o720, 0o702]) {
      chmodSync(home, mode);
      expect(() => ensurePrivateDir(home, options)).toThrow(`${home} is not used: others may write it`);
    }
  });

  it('is no link, at no level', () => {
    const folder = scratch();
    mkdirSync(join(folder, 'real'), { mode: 0o700 });
    symlinkSync('real', join(folder, 'link'));
    expect(() => ensurePrivateDir(join(folder, 'link'), options)).toThrow('it is a symbolic link, not a folder');
    expect(() => ensurePrivateDir(join(folder, 'link', 'x'), { ...options, from: join(folder, 'link') })).toThrow(
      'symbolic link',
    );
    expect(readdirSync(join(folder, 'real'))).toEqual([]);
    symlinkSync('nowhere', join(folder, 'dangling'));
    expect(() => ensurePrivateDir(join(folder, 'dangling'), options)).toThrow('symbolic link');
    expect(readdirSync(folder).toSorted()).toEqual(['dangling', 'link', 'real']);
  });

  it('is no file', () => {
    const file = join(scratch(), 'file');
    writeFileSync(file, 'x');
    expect(() => ensurePrivateDir(file, options)).toThrow('it is a file, not a folder');
  });

  it.skipIf(!isRoot)('belongs to this account', () => {
    const home = join(scratch(), 'home');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, 65_534, 65_534);
    expect(() => ensurePrivateDir(home, options)).toThrow(`${home} is not used: it belongs to user 65534, not to 0`);
    expect(() => ensurePrivateDir(join(home, 'x'), { ...options, from: home })).toThrow('belongs to user');
    expect(readdirSync(home)).toEqual([]);
  });

  it('lies below nothing that anybody may rename', () => {
    const folder = scratch();
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(() => ensurePrivateDir(join(open, 'home'), options)).toThrow(`everybody may rename what lies in ${open}`);
    expect(readdirSync(open)).toEqual([]);
    chmodSync(open, 0o1777);
    ensurePrivateDir(join(open, 'home'), options);
  });

  it('never makes what is above it', () => {
    const folder = scratch();
    expect(() => ensurePrivateDir(join(folder, 'none', 'home'), options)).toThrow(
      `the folder above it, ${join(folder, 'none')}: not there`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['home', './home', '/a/../b', '/a/', '/a//b', ''])('is named plainly, unlike %j', (path) => {
    expect(() => ensurePrivateDir(path, options)).toThrow('not absolute and plain');
  });

  it('lies below where it says', () => {
    const folder = scratch();
    expect(() => ensurePrivateDir(join(folder, 'a'), { ...options, from: join(folder, 'b') })).toThrow(
      'it is not below',
    );
    expect(() => ensurePrivateDir(folder, { ...options, from: join(folder, 'b') })).toThrow('it is not below');
  });

  it('is refused with the reason when it cannot be made', () => {
    const folder = scratch();
    mkdirSync(join(folder, 'closed'), { mode: 0o555 });
    const path = join(folder, 'closed', 'home');
    const made = unprivileged(
      folder,
      'system/files.ts',
      'ensurePrivateDir',
      `ensurePrivateDir(${JSON.stringify(path)}, { account: 65534 })`,
    );
    expect(made).toEqual(['unsafe-folder', `${path} is not used: it cannot be made: permission denied (EACCES)`]);
  });

  it('is proved without being made', () => {
    const folder = scratch();
    const home = join(folder, 'home');
    expect(provePrivateDir(home, options)).toEqual({ kind: 'absent' });
    expect(readdirSync(folder)).toEqual([]);
    mkdirSync(home, { mode: 0o700 });
    expect(provePrivateDir(home, options)).toEqual({ kind: 'known', value: true });
    chmodSync(home, 0o777);
    expect(provePrivateDir(home, options)).toEqual({ kind: 'unknown', reason: `${home}: others may write it` });
    symlinkSync('none', join(folder, 'link'));
    expect(provePrivateDir(join(folder, 'link'), options)).toMatchObject({ kind: 'unknown' });
    expect(provePrivateDir('x', options)).toMatchObject({ kind: 'unknown' });
  });
});
