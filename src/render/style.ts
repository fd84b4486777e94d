import { styleText } from 'node:util';
import type { Context, Output } from '../context.ts';

type Paint = (text: string) => string;

/** The few ways in which output is emphasised; each gives the text back as it is when there is no colour. */
export interface Style {
  readonly strong: Paint;
  readonly faint: Paint;
  readonly goes: Paint;
  readonly stays: Paint;
  readonly alarm: Paint;
}

/** The style for one stream: colour only on a terminal, unless the environment says otherwise. */
export function createStyle(output: Output, env: Context['env']): Style {
  const paint = hasColor(output, env) ? painter : () => plain;
  return {
    strong: paint('bold'),
    faint: paint('dim'),
    goes: paint('green'),
    stays: paint('yellow'),
    alarm: paint('red'),
  };
}

/** FORCE_COLOR decides before NO_COLOR, as in Node; a set NO_COLOR before what the stream is. */
export function hasColor(output: Output, env: Context['env']): boolean {
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  return output.isTTY && env['TERM'] !== 'dumb';
}

function painter(format: 'bold' | 'dim' | 'green' | 'yellow' | 'red'): Paint {
  // The decision was made above: newer versions of Node must not look at a stream of their own choice.
  return (text) => (text === '' ? text : styleText(format, text, { validateStream: false }));
}

function plain(text: string): string {
  return text;
}
