/** Texts and times as state files have them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWritten, toWritten } from '../../src/state/text.ts';
import { formatTime, parseTime } from '../../src/state/time.ts';

const bytes = fc.uint8Array({ maxLength: 40 }).map((list) => Buffer.from(list).toString('latin1'));

describe('a byte string', () => {
  it('comes back as it was, whatever its bytes are', () => {
    fc.assert(
      fc.property(bytes, (text) => {
        const file = Buffer.from(JSON.stringify(toWritten(text)), 'utf8');
        expect(fromWritten(JSON.parse(file.toString('utf8')) as string)).toBe(text);
      }),
    );
  });

  it.each([
    ['plain', 'plain'],
    ['caf\xc3\xa9', 'café'],
    ['bad-\xff', 'bad-\udcff'],
    ['\xc3\xa9\xc3', 'é\udcc3'],
    ['\xed\xa0\x80', '\udced\udca0\udc80'],
    ['\xf0\x9f\x8c\xb3\x80', '🌳\udc80'],
  ])('%j is written %j', (text, written) => {
    expect(toWritten(text)).toBe(written);
    expect(fromWritten(written)).toBe(text);
  });

  it.each([['\ud800'], ['\udc7f'], ['\udd00'], ['\udcc3\udca9'], ['x\udc41']])(
    '%j is nothing that is written',
    (text) => {
      expect(fromWritten(text)).toBeNull();
    },
  );
});

describe('a time', () => {
  it.each([
    ['2026-11-30T12:00:00Z', Date.UTC(2026, 10, 30, 12)],
    ['2026-11-30T12:00:00.5Z', Date.UTC(2026, 10, 30, 12, 0, 0, 500)],
    ['2024-02-29T23:59:59.999999999Z', Date.UTC(2024, 1, 29, 23, 59, 59, 999)],
    ['1970-01-01T00:00:00Z', 0],
  ])('%s is one', (text, time) => expect(parseTime(text)).toBe(time));

  it.each([
    '',
    'now',
    '2026-11-30',
    '2026-11-30T12:00Z',
    '2026-11-30T12:00:00',
    '2026-11-30T12:00:00z',
    '2026-11-30 12:00:00Z',
    '2026-11-30T12:00:00+00:00',
    '2026-11-30T12:00:00+01:00',
    '2026-02-30T12:00:00Z',
    '2025-02-29T12:00:00Z',
    '2026-11-30T24:00:00Z',
    '2026-11-30T12:00:60Z',
    '2026-13-01T12:00:00Z',
    '+02026-11-30T12:00:00Z',
    '2026-11-30T12:00:00.Z',
    '2026-11-30T12:00:00.1234567891Z',
    ' 2026-11-30T12:00:00Z',
    '2026-11-30T12:00:00Z\n',
    'NaN',
    'Infinity',
    '1796040000',
  ])('%j is none', (text) => expect(parseTime(text)).toBeNull());

  it('comes back to the millisecond', () => {
    const [first, last] = [Date.UTC(0, 0, 1) - 1900 * 365 * 86_400_000, Date.UTC(9999, 11, 31, 23, 59, 59, 999)];
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (time) => {
        expect(parseTime(formatTime(time))).toBe(time);
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e15])('%d is not written', (time) => {
    expect(() => formatTime(time)).toThrow(RangeError);
  });
});
