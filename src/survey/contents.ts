import type { BlobReader } from '../git/read/blobs.ts';
import type { Answer, Asking, Question } from '../judge/merged/ask.ts';
import type { BlobNumber } from '../judge/merged/change.ts';
import { lineSum } from '../judge/merged/lines.ts';
import type { Numbers } from './numbers.ts';

/** Bytes of contents that are kept for the next question. */
const MOST_KEPT = 16 * 1024 * 1024;

/** Answers what the ladder asks: contents of blobs, most recently used ones kept, and their line sums. */
export class Contents {
  private readonly reader: BlobReader;
  private readonly numbers: Numbers;
  private readonly texts = new Map<BlobNumber, string>();
  private kept = 0;
  private readonly sums = new Map<BlobNumber, number | null>();
  private readonly sizes = new Map<BlobNumber, number | null>();
  /** Sizes that were asked for, until they are here. */
  private readonly coming = new Map<BlobNumber, Promise<void>>();

  constructor(reader: BlobReader, numbers: Numbers) {
    this.reader = reader;
    this.numbers = numbers;
  }

  /** Runs a computation to its end, answering its questions. */
  async settle<Result>(asking: Asking<Result>): Promise<Result> {
    let turn = asking.next();
    // What is known already is answered at once: most questions are about blobs that another branch asked about.
    while (turn.done !== true) turn = asking.next(this.known(turn.value) ?? (await this.answer(turn.value)));
    return turn.value;
  }

  private known({ kind, blobs }: Question): Answer | null {
    if (kind === 'texts') return null;
    const kept = kind === 'sums' ? this.sums : this.sizes;
    const answer: (number | null)[] = [];
    for (const blob of blobs) {
      const number = kept.get(blob);
      if (number === undefined) return null;
      answer.push(number);
    }
    return answer;
  }

  private answer({ kind, blobs }: Question): Promise<Answer> {
    switch (kind) {
      case 'texts':
        return Promise.all(blobs.map((blob) => this.text(blob)));
      case 'sums':
        return Promise.all(blobs.map((blob) => this.sum(blob)));
      case 'sizes':
        return this.readSizes(blobs);
    }
  }

  private async text(blob: BlobNumber): Promise<string | null> {
    const kept = this.texts.get(blob);
    if (kept !== undefined) {
      this.texts.delete(blob);
      this.texts.set(blob, kept);
      return kept;
    }
    const oid = this.numbers.blob(blob);
    const text = oid === null ? null : await this.reader.text(oid);
    if (text !== null && !this.texts.has(blob)) this.keep(blob, text);
    return text;
  }

  private keep(blob: BlobNumber, text: string): void {
    this.texts.set(blob, text);
    this.kept += text.length;
    for (const [oldest, dropped] of this.texts) {
      if (this.kept <= MOST_KEPT) break;
      this.texts.delete(oldest);
      this.kept -= dropped.length;
    }
  }

  private async sum(blob: BlobNumber): Promise<number | null> {
    const known = this.sums.get(blob);
    if (known !== undefined) return known;
    const text = await this.text(blob);
    const sum = text === null ? null : lineSum(text);
    this.sums.set(blob, sum);
    return sum;
  }

  /** What is on its way for another question is not asked for again. */
  private async readSizes(blobs: readonly BlobNumber[]): Promise<Answer> {
    const open = new Set(blobs.filter((blob) => !this.sizes.has(blob)));
    const asked = [...open].filter((blob) => !this.coming.has(blob));
    const reading = this.askSizes(asked);
    for (const blob of asked) this.coming.set(blob, reading);
    await Promise.all(new Set([...open].flatMap((blob) => this.coming.get(blob) ?? [])));
    return blobs.map((blob) => this.sizes.get(blob) ?? null);
  }

  private async askSizes(blobs: readonly BlobNumber[]): Promise<void> {
    const sizes = await this.reader.sizes(blobs.map((blob) => this.numbers.blob(blob)));
    for (const [at, blob] of blobs.entries()) {
      this.sizes.set(blob, sizes[at] ?? null);
      this.coming.delete(blob);
    }
  }
}
