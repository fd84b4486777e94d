import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/config/duration.ts';
import { formatSize, parseSize } from '../../src/config/size.ts';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const BYTES = {
  '': 1,
  B: 1,
  K: 1024,
  KiB: 1024,
  KB: 1000,
  M: 1024 ** 2,
  MiB: 1024 ** 2,
  MB: 1000 ** 2,
  G: 1024 ** 3,
  GiB: 1024 ** 3,
  GB: 1000 ** 3,
  T: 1024 ** 4,
  TiB: 1024 ** 4,
  TB: 1000 ** 4,
} as const;

describe('durations', () => {
  it.each([
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['90m', 5_400_000],
    ['30s', 30_000],
    ['0s', 0],
    ['2w', 1_209_600_000],
    ['36500d', 3_153_600_000_000],
  ])('%s', (text, value) => {
    expect(parseDuration(text)).toEqual({ kind: 'ok', value });
  });

  it.each([
    '',
    '0',
    '24',
    'h',
    '1.5h',
    '1,5h',
    '-1h',
    '+1h',
    '1 h',
    ' 1h',
    '1h ',
    '1h\n',
    '1H',
    '1h30m',
    '01h',
    '1e3s',
    '1y',
    '1ms',
    'off',
    '١h',
    '36501d',
    '9999999999999999999d',
  ])('not %j', (text) => {
    expect(parseDuration(text)).toMatchObject({ kind: 'wrong', why: expect.stringMatching(/^write /) });
  });

  it('count in every unit', () => {
    fc.assert(
      fc.property(
        fc.nat(5000),
        fc.constantFrom(...(Object.keys(SECONDS) as (keyof typeof SECONDS)[])),
        (count, unit) => {
          expect(parseDuration(`${count}${unit}`)).toEqual({ kind: 'ok', value: count * SECONDS[unit] * 1000 });
        },
      ),
    );
  });

  it('come back from their text', () => {
    fc.assert(
      fc.property(fc.nat(36_500 * 86_400), (seconds) => {
        expect(parseDuration(formatDuration(seconds * 1000))).toEqual({ kind: 'ok', value: seconds * 1000 });
      }),
    );
  });

  it('are never understood in any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/^(0|[1-9][0-9]*)[smhdw]$/.test(text));
        expect(parseDuration(text).kind).toBe('wrong');
      }),
    );
  });
});

describe('sizes', () => {
  it.each([
    ['16MiB', 16_777_216],
    ['2G', 2_147_483_648],
    ['50G', 53_687_091_200],
    ['1000', 1000],
    ['0', 0],
    ['3GB', 3_000_000_000],
    ['8191T', 8191 * 1024 ** 4],
  ])('%s', (text, value) => {
    expect(parseSize(text)).toEqual({ kind: 'ok', value });
  });

  it.each([
    '',
    'M',
    '1.5G',
    '-1',
    '1 G',
    '1g',
    '1mib',
    '1Mib',
    '1MIB',
    '1P',
    '01',
    '1e3',
    '0x10',
    'none',
    '1none',
    '8192T',
    '9007199254740992',
    '99999999999999999999',
  ])('not %j', (text) => {
    expect(parseSize(text)).toMatchObject({ kind: 'wrong', why: expect.stringMatching(/^write /) });
  });

  it('count in every unit', () => {
    fc.assert(
      fc.property(fc.nat(8000), fc.constantFrom(...(Object.keys(BYTES) as (keyof typeof BYTES)[])), (count, unit) => {
        expect(parseSize(`${count}${unit}`)).toEqual({ kind: 'ok', value: count * BYTES[unit] });
      }),
    );
  });

  it('come back from their text', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (bytes) => {
        fc.pre(bytes <= 8191 * 1024 ** 4);
        expect(parseSize(formatSize(bytes))).toEqual({ kind: 'ok', value: bytes });
      }),
    );
  });
});
