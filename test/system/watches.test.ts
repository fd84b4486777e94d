/** What a process has itself told of, as the kernel writes it. */
import { describe, expect, it } from 'vitest';
import { parseWatches, readWatches } from '../../src/system/processes/watches.ts';
import { temporaryFolder } from '../support/folders.ts';

const HEAD = 'pos:\t0\nflags:\t02004000\nmnt_id:\t15\nino:\t1057\n';

describe('watches', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    [HEAD, []],
    [
      `${HEAD}inotify wd:2 ino:9e7e sdev:800013 mask:800afce ignored_mask:0 fhandle-bytes:8 fhandle-type:1 f_handle:7e9e\n`,
      ['8:19 40574'],
    ],
    ['inotify wd:1 ino:1 sdev:fe00000 mask:2 ignored_mask:0 \n', ['254:0 1']],
    ['inotify wd:1 ino:1 sdev:15 mask:2 \ninotify wd:ff ino:2 sdev:15 mask:2 \n', ['0:21 1', '0:21 2']],
    ['inotify wd:1 ino:ffffffffffffffff sdev:15 mask:2 \n', ['0:21 18446744073709551615']],
    [
      'fanotify flags:10 event-flags:0\nfanotify ino:4f969 sdev:800013 mflags:0 mask:3b ignored_mask:40000000 \n',
      ['8:19 325993'],
    ],
    // Of a whole mount or file system.
    ['fanotify flags:10 event-flags:0\nfanotify mnt_id:12 mflags:40 mask:38 ignored_mask:40000003\n', []],
    ['fanotify sdev:800013 mflags:0 mask:3b ignored_mask:0\n', []],
    ['inotify wd:1 ino:9e', []],
    ['xinotify wd:1 ino:1 sdev:15 mask:2\n', []],
  ])('%j', (text, inodes) => expect([...parseWatches(text)]).toEqual(inodes));

  it('are asked of what is one alone', () => {
    for (const kind of ['anon_inode:[eventfd]', 'anon_inode:inotify-2', 'socket:[1]', '/inotify'])
      expect(readWatches('/nowhere', kind)).toEqual(new Set());
    for (const kind of ['anon_inode:inotify', 'anon_inode:[inotify]', 'anon_inode:[fanotify]'])
      expect(readWatches('/nowhere', kind)).toEqual(new Set());
    expect(() => readWatches(temporaryFolder(), 'anon_inode:inotify')).toThrow('EISDIR');
  });
});
