import type { Oid } from '../../judge/facts/names.ts';
import { complaint, type Git, type RunningGit, startGit } from '../run.ts';

/** Larger blobs are not compared by lines; equal ids are still equal. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Milliseconds without an answer: longer than elsewhere, since there are pauses between questions. */
const SILENCE = 120_000;

interface Waiting {
  readonly command: 'contents' | 'info';
  readonly oid: Oid;
  readonly answer: (record: BatchRecord | null) => void;
}

/**
 * Reads sizes and contents of blobs through one process, in any number. The process starts with the first question.
 * A blob that is missing, too large to compare or no blob is null.
 */
export class BlobReader {
  private readonly git: Git;
  private running: RunningGit | null = null;
  private readonly waiting: Waiting[] = [];
  private unsent = '';
  private sending = false;
  /** Why the process ended before its time; null while all is well. */
  failure: string | null = null;

  constructor(git: Git) {
    this.git = git;
  }

  /** The contents as a byte string. */
  text(oid: Oid): Promise<string | null> {
    return new Promise((resolve) => this.ask('contents', oid, (record) => resolve(record?.text ?? null)));
  }

  /** Their sizes in bytes. There are very many of these questions: a promise for each would cost more than its answer. */
  sizes(oids: readonly (Oid | null)[]): Promise<readonly (number | null)[]> {
    const sizes: (number | null)[] = oids.map(() => null);
    return new Promise((resolve) => {
      let open = 1;
      const close = () => {
        if (--open === 0) resolve(sizes);
      };
      for (const [at, oid] of oids.entries()) {
        if (oid === null) continue;
        open++;
        this.ask('info', oid, (record) => {
          sizes[at] = record?.size ?? null;
          close();
        });
      }
      close();
    });
  }

  private ask(command: Waiting['command'], oid: Oid, answer: Waiting['answer']): void {
    if (this.failure !== null) {
      answer(null);
      return;
    }
    this.running ??= this.start();
    const { running } = this;
    this.unsent += `${command} ${oid}\n`;
    if (!this.sending) {
      setImmediate(() => {
        this.send(running).catch((error: unknown) => this.fail(String(error)));
      });
    }
    this.sending = true;
    this.waiting.push({ command, oid, answer });
  }

  /** Questions that come together go together: a write for each would cost more than its answer. */
  private async send(running: RunningGit): Promise<void> {
    while (this.unsent !== '') {
      const lines = `${this.unsent}flush\n`;
      this.unsent = '';
      await running.write(lines);
    }
    this.sending = false;
  }

  close(): void {
    this.running?.end();
  }

  private start(): RunningGit {
    const running = startGit(this.git, ['cat-file', '--batch-command', '--buffer'], { silence: SILENCE });
    this.pump(running).catch((error: unknown) => this.fail(error instanceof Error ? error.message : 'unknown'));
    return running;
  }

  private async pump(running: RunningGit): Promise<void> {
    const reader = new RecordReader();
    for await (const chunk of running.output()) {
      for (const record of reader.push(chunk, () => this.waiting[0]?.command === 'contents')) this.give(record);
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
      waiting.answer(record);
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
  /** Null when it is no blob, or not here. */
  readonly size: number | null;
  /** Null besides when it was not asked for, or is too large to compare. */
  readonly text: string | null;
}

/** Cuts the output of `cat-file --batch-command` into records, keeping no more than one blob's bytes. */
class RecordReader {
  private pending: Buffer = Buffer.alloc(0);
  private open: { record: BatchRecord; keep: boolean; left: number; parts: string[] } | null = null;

  /** @param hasContents asked at each record: whether contents follow on its first line. */
  *push(chunk: Buffer, hasContents: () => boolean): Generator<BatchRecord> {
    let data = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    for (;;) {
      if (this.open === null) {
        const end = data.indexOf(10);
        if (end < 0) break;
        const [oid = '', type = '', size = ''] = data.toString('latin1', 0, end).split(' ');
        data = data.subarray(end + 1);
        const isThere = /^\d+$/.test(size);
        const record = { oid, size: isThere && type === 'blob' ? Number(size) : null, text: null };
        if (!isThere || !hasContents()) {
          yield record;
          continue;
        }
        this.open = { record, keep: type === 'blob' && Number(size) <= MOST_BYTES, left: Number(size) + 1, parts: [] };
      }
      const { open } = this;
      const part = data.subarray(0, open.left);
      if (open.keep) open.parts.push(part.toString('latin1'));
      open.left -= part.length;
      data = data.subarray(part.length);
      if (open.left > 0) break;
      this.open = null;
      yield { ...open.record, text: open.keep ? open.parts.join('').slice(0, -1) : null };
    }
    this.pending = Buffer.from(data);
  }
}
