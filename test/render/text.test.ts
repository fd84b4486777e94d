import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64OfBytes, decodeBytes, encodeText, isUtf8 } from '../../src/render/decode.ts';
import { jsonLine } from '../../src/render/json.ts';
import { createRedactor } from '../../src/render/redact.ts';
import { sanitize } from '../../src/render/sanitize.ts';
import { cutEnd, cutMiddle, padText, textWidth, wrapText } from '../../src/render/width.ts';
import { HOSTILE } from './samples.ts';

const bytes = fc.array(fc.integer({ min: 0, max: 255 })).map((all) => String.fromCharCode(...all));

describe('decode', () => {
  test('UTF-8 comes back as it was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeBytes(encodeText(text))).toBe(text);
        expect(isUtf8(encodeText(text))).toBe(true);
      }),
    );
  });

  test('agrees with a strict decoder about what is UTF-8', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    fc.assert(
      fc.property(bytes, (text) => {
        let decoded: string | null;
        try {
          decoded = strict.decode(Buffer.from(text, 'latin1'));
        } catch {
          decoded = null;
        }
        expect(isUtf8(text)).toBe(decoded !== null);
        if (decoded !== null) expect(decodeBytes(text)).toBe(decoded);
      }),
    );
  });

  test('bytes that are no UTF-8 become \\xNN, the rest stays readable', () => {
    expect(decodeBytes(HOSTILE.invalid)).toBe('bad-\\xff\\xc3(');
    expect(decodeBytes(HOSTILE.overlong)).toBe('dot-\\xc0\\xae-\\xed\\xa0\\x80');
    expect(decodeBytes(`${encodeText('é')}\xe9`)).toBe('é\\xe9');
    expect(base64OfBytes('\xff')).toBe('/w==');
  });

  test('a text of code with a character that is no byte survives', () => {
    expect(decodeBytes('kept… here')).toBe('kept… here');
  });
});

describe('sanitize', () => {
  test.each(Object.entries(HOSTILE))('%s leaves nothing that a terminal would act on', (_, name) => {
    expect(sanitize(decodeBytes(name))).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u);
  });

  test('shows what was there', () => {
    expect(sanitize('a\x1b[31m\n\u202e\u{e0041}\x9b')).toBe('a\\x1b[31m\\n\\u202e\\u{e0041}\\u009b');
  });

  test('JSON keeps its meaning without raw controls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = jsonLine({ text });
        expect(JSON.parse(line)).toEqual({ text });
        expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(jsonLine({ name: 'x\u{e0041}' })).toBe('{"name":"x\\udb40\\udc41"}\n');
  });
});

describe('redact', () => {
  const redactor = createRedactor('/home/ada/');

  test.each([
    ['/home/ada', '~'],
    ['/home/ada/src', '~/src'],
    ['/home/adam/src', '/home/adam/src'],
    ['/mnt/home/ada/src', '/mnt/home/ada/src'],
    ['/home/ada.old', '/home/ada.old'],
  ])('the path %s', (from, to) => {
    expect(redactor.path(from)).toBe(to);
    expect(redactor.text(from)).toBe(to);
  });

  test.each([
    ["fatal: '/home/ada/x' is no repository", "fatal: '~/x' is no repository"],
    ['in /home/ada, and /home/ada.', 'in ~, and ~.'],
    ['file:///home/ada/x.git', 'file://~/x.git'],
    ['host.example/home/ada/x', 'host.example/home/ada/x'],
    ['/srv/é/home/ada/x', '/srv/é/home/ada/x'],
    ['/home/ada/a /home/ada/b', '~/a ~/b'],
    ['/home/ada-lovelace and /home/ada_b', '/home/ada-lovelace and /home/ada_b'],
  ])('the text %s', (from, to) => expect(redactor.text(from)).toBe(to));

  test.each([null, '', '/', 'relative'])('home %j redacts nothing', (home) => {
    expect(createRedactor(home).path('/home/ada')).toBe('/home/ada');
    expect(createRedactor(home).text('in /home/ada')).toBe('in /home/ada');
  });

  test('a home with signs of regular expressions is only itself', () => {
    expect(createRedactor('/home/a.b+c').text('/home/aXbbc /home/a.b+c/x')).toBe('/home/aXbbc ~/x');
  });
});

describe('width', () => {
  test('cut text fits, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 30 }), (raw, width) => {
        const text = sanitize(raw);
        expect(textWidth(cutEnd(text, width))).toBeLessThanOrEqual(width);
        expect(textWidth(cutMiddle(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  test('a name loses its middle, a sentence its end', () => {
    expect(cutMiddle('feature/very-long-name-of-a-thing', 15)).toBe('feature…a-thing');
    expect(cutEnd('a long sentence', 8)).toBe('a long …');
    expect(cutEnd('fits', Infinity)).toBe('fits');
  });

  test('wide characters count twice', () => {
    expect(padText('機能', 6)).toBe('機能  ');
    expect(cutEnd('機能機能', 4)).toBe('機…');
  });

  test('wraps at spaces', () => expect(wrapText('one two three', 7)).toEqual(['one two', 'three']));
});
