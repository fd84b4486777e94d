import type { Oid } from '../../judge/facts/names.ts';
import { complaint, type Git, type RunningGit, startGit } from '../run.ts';

/** Larger blobs are not compared by lines; equal ids are still equal. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Milliseconds without an answer: longer than elsewhere, since there are pauses between questions. */
const SILENCE = 120_000;

interface Waiting {
  readonly oid: Oid;
  readonly answer: (text: string | null) => void;
}

/**
 * Reads contents of blobs through one process, in any number. The process starts with the first question.
 * A blob that is missing, too large or no blob is null.
 */
export class BlobReader {
  private readonly git: Git;
  private running: RunningGit | null = null;
  private readonly waiting: Waiting[] = [];
  /** Why the process ended before its time; null while all is well. */
  failure: string | null = null;

  constructor(git: Git) {
    this.git = git;
  }

  /** The contents as a byte string. */
  async text(oid: Oid): Promise<string | null> {
    if (this.failure !== null) return null;
    this.running ??= this.start();
    const answer = new Promise<string | null>((resolve) => this.waiting.push({ oid, answer: resolve }));
    await this.running.write(`${oid}\n`);
    return answer;
  }

  close(): void {
    this.running?.end();
  }

  private start(): RunningGit {
    const running = startGit(this.git, ['cat-file', '--batch'], { silence: SILENCE });
    this.pump(running).catch((error: unknown) => this.fail(error instanceof Error ? error.message : 'unknown'));
    return running;
  }

  private async pump(running: RunningGit): Promise<void> {
    const reader = new RecordReader();
    for await (const chunk of running.output()) {
      for (const record of reader.push(chunk)) this.give(record);
      if (this.failure === null) continue;
      running.stop();
      return;
    }
    const ended = await running.ended;
    if (this.waiting.length > 0) this.fail(complaint(ended));
  }

  private give(record: BatchRecord): void {
    const waiting = this.waiting.shift();
    if (waiting?.oid === record.oid) {
      waiting.answer(record.text);
      return;
    }
    waiting?.answer(null);
    this.fail('git answered for another object than was asked for');
  }

  private fail(reason: string): void {
    this.failure ??= reason;
    for (const waiting of this.waiting.splice(0)) waiting.answer(null);
  }
}

interface BatchRecord {
  readonly oid: string;
  readonly text: string | null;
}

/** Cuts the output of `cat-file --batch` into records, keeping no more than one blob's bytes. */
class RecordReader {
  private pending: Buffer = Buffer.alloc(0);
  private open: { oid: string; keep: boolean; left: number; parts: string[] } | null = null;

  *push(chunk: Buffer): Generator<BatchRecord> {
    let data = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    for (;;) {
      if (this.open === null) {
        const end = data.indexOf(10);
        if (end < 0) break;
        const [oid = '', type = '', size = ''] = data.toString('latin1', 0, end).split(' ');
        data = data.subarray(end + 1);
        if (!/^\d+$/.test(size)) {
          yield { oid, text: null };
          continue;
        }
        this.open = { oid, keep: type === 'blob' && Number(size) <= MOST_BYTES, left: Number(size) + 1, parts: [] };
      }
      const open = this.open;
      const part = data.subarray(0, open.left);
      if (open.keep) open.parts.push(part.toString('latin1'));
      open.left -= part.length;
      data = data.subarray(part.length);
      if (open.left > 0) break;
      this.open = null;
      yield { oid: open.oid, text: open.keep ? open.parts.join('').slice(0, -1) : null };
    }
    this.pending = Buffer.from(data);
  }
}
