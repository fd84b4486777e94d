import type { Context, Output } from '../context.ts';
import { decodeBytes } from './decode.ts';
import { sanitize } from './sanitize.ts';
import { cutEnd } from './width.ts';

const WAIT_MS = 500;
const REDRAW_MS = 100;
const CLEAR = '\r\x1b[K';

/** One status line. */
export interface Progress {
  /** What is being read now, as a byte string. */
  report(text: string): void;
  /** Takes the line away. */
  end(): void;
}

/** A status line on `output`, once somebody has waited for it; nothing at all where it is no terminal. */
export function startProgress(output: Output, env: Context['env']): Progress {
  if (!output.isTTY || env['TERM'] === 'dumb') return { report() {}, end() {} };

  let latest = '';
  let drawn = '';
  let timer = setTimeout(draw, WAIT_MS).unref();

  function draw(): void {
    if (latest !== drawn) {
      output.write(CLEAR + cutEnd(sanitize(decodeBytes(latest)), output.columns - 1));
      drawn = latest;
    }
    timer = setTimeout(draw, REDRAW_MS).unref();
  }

  return {
    report(text) {
      latest = text;
    },
    end() {
      clearTimeout(timer);
      if (drawn !== '') output.write(CLEAR);
    },
  };
}
