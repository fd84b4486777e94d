/** What the kernel tells of one process, whatever the process calls itself. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStat, readStartTime, readStat } from '../../src/system/processes/stat.ts';
import { temporaryFolder } from '../support/folders.ts';

const REST = 'S 1 12 12 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 7 0 4711 1000 200 18446744073709551615 1 1 0 0 0 0 0\n';

function line(name: string, rest = REST): string {
  return `4242 (${name}) ${rest}`;
}

const TOLD = { pid: 4242, parent: 1, state: 'S', isKernel: false, threads: 7, start: 4711 };

describe('a line of stat', () => {
  it.each([
    'sh',
    '',
    ' ',
    ')',
    '(sd-pam)',
    'a) S 1 (b',
    ') Z 99 1 1 0 -1 2097152 (',
    'a\nb',
    'desk (deleted)',
    '\xe9\xff',
  ])('with the name %j', (name) => expect(parseStat(line(name))).toEqual({ ...TOLD, name }));

  it('with any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(parseStat(line(name))).toEqual({ ...TOLD, name });
      }),
    );
  });

  it('of a thread of the kernel, and of one that is over', () => {
    expect(parseStat(line('kworker/0:1', REST.replace('4194560', '69238880')))?.isKernel).toBe(true);
    expect(parseStat(line('gone', REST.replace('S 1', 'Z 1')))?.state).toBe('Z');
  });

  it.each([
    '',
    '\n',
    'garbage',
    '4242',
    '4242 (sh',
    '4242 (sh) ',
    '4242 (sh) S',
    '4242 (sh) S 1 12 12 0 -1 4194560 100 0 0',
    line('sh', REST.replace('S', 'SS')),
    line('sh', REST.replace('S', '5')),
    line('sh', REST.replace(' 1 12', ' x 12')),
    line('sh', REST.replace('4711', '-')),
    line('sh', REST.replace(' 7 ', ' 7.5 ')),
    ` ${line('sh')}`,
    `-${line('sh')}`,
  ])('that is none: %j', (text) => expect(parseStat(text)).toBeNull());
});

describe.skipIf(process.platform !== 'linux')('a process', () => {
  it('of which is told', () => {
    const own = readStat(process.pid);
    expect(own).toMatchObject({ kind: 'known', value: { pid: process.pid, parent: process.ppid, isKernel: false } });
    const began = own.kind === 'known' ? readStartTime(own.value) : null;
    expect(Math.abs((began ?? 0) - (Date.now() - process.uptime() * 1000))).toBeLessThan(30_000);
  });

  it('that is not there is absent; where nothing can be told it is unknown', () => {
    expect(readStat(4_194_305)).toEqual({ kind: 'absent' });
    expect(readStat(1, temporaryFolder()).kind).toBe('absent');
    expect(readStat(1, '/dev/null').kind).not.toBe('known');
  });
});
