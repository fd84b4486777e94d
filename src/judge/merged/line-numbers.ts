/** Numbers for the lines of texts that are compared with one base, so that comparing lines is comparing numbers. */
import { splitLines } from './lines.ts';
import { placeOf } from './places.ts';

export class LineNumbers {
  /** The lines of the base. */
  readonly base: Uint32Array;
  private readonly text: string;
  private readonly numbers = new Map<string, number>();
  /** Where each line of the base starts. */
  private readonly starts: number[] = [];

  constructor(base: string) {
    const lines = splitLines(base);
    let start = 0;
    for (const line of lines) {
      this.starts.push(start);
      start += line.length;
    }
    this.text = base;
    this.base = this.number(lines);
  }

  /** The lines of another text. What it begins and ends with as the base does has its numbers already. */
  of(text: string): Uint32Array {
    const { start, end, sideEnd } = placeOf(this.text, text);
    const between = this.number(splitLines(text.slice(start, sideEnd)));
    const [head, tail] = [this.lineAt(start), this.lineAt(end)];
    const found = new Uint32Array(head + between.length + this.base.length - tail);
    found.set(this.base.subarray(0, head));
    found.set(between, head);
    found.set(this.base.subarray(tail), head + between.length);
    return found;
  }

  private number(lines: readonly string[]): Uint32Array {
    const found = new Uint32Array(lines.length);
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as string;
      let number = this.numbers.get(line);
      if (number === undefined) {
        number = this.numbers.size;
        this.numbers.set(line, number);
      }
      found[at] = number;
    }
    return found;
  }

  /** How many lines of the base start before byte `start`, where one starts or the base ends. */
  private lineAt(start: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] as number) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
