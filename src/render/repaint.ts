/** Lines on a terminal that are drawn again and again while more is known. */
import type { Context, Output } from '../context.ts';

const REDRAW_MS = 100;

export interface Repaint {
  /** Shows these lines in place of those before. */
  show(lines: () => readonly string[]): void;
  /** Takes them away. */
  end(): void;
}

/** Nothing is drawn where it is no terminal; nor what is longer than it, since lines that left it stay. */
export function startRepaint(output: Output, env: Context['env']): Repaint {
  if (!output.isTTY || env['TERM'] === 'dumb') return { show() {}, end() {} };
  let drawn = 0;
  let last = Number.NEGATIVE_INFINITY;
  const clear = () => {
    if (drawn > 0) output.write(`\x1b[${drawn}A\x1b[J`);
    drawn = 0;
  };
  return {
    show(lines) {
      if (performance.now() - last < REDRAW_MS) return;
      last = performance.now();
      const text = lines();
      if (text.length >= output.rows) return;
      clear();
      output.write(`${text.join('\n')}\n`);
      drawn = text.length;
    },
    end: clear,
  };
}
