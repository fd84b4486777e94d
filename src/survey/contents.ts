import type { BlobReader } from '../git/read/blobs.ts';
import type { Answer, Asking, Question } from '../judge/merged/ask.ts';
import type { BlobNumber } from '../judge/merged/change.ts';
import { lineSum } from '../judge/merged/lines.ts';
import type { Numbers } from './numbers.ts';

/** Bytes of contents that are kept for the next question. */
const MOST_KEPT = 32 * 1024 * 1024;

/** Answers what the ladder asks: contents of blobs, most recently used ones kept, and their line sums. */
export class Contents {
  private readonly reader: BlobReader;
  private readonly numbers: Numbers;
  private readonly texts = new Map<BlobNumber, string>();
  private kept = 0;
  private readonly sums = new Map<BlobNumber, Promise<number | null>>();

  constructor(reader: BlobReader, numbers: Numbers) {
    this.reader = reader;
    this.numbers = numbers;
  }

  /** Runs a computation to its end, answering its questions. */
  async settle<Result>(asking: Asking<Result>): Promise<Result> {
    let turn = asking.next();
    while (turn.done !== true) turn = asking.next(await this.answer(turn.value));
    return turn.value;
  }

  private answer(question: Question): Promise<Answer> {
    return Promise.all(question.blobs.map((blob) => (question.kind === 'sums' ? this.sum(blob) : this.text(blob))));
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

  private sum(blob: BlobNumber): Promise<number | null> {
    const known = this.sums.get(blob);
    if (known !== undefined) return known;
    const sum = this.text(blob).then((text) => (text === null ? null : lineSum(text)));
    this.sums.set(blob, sum);
    return sum;
  }
}
