import type { IgnoredKind, PreciousKind, Sample } from '../../judge/facts/worktree.ts';

/** Names shown of many. */
const SHOWN = 5;

/** Counts paths, and keeps the first few. */
export class Tally {
  private count = 0;
  private readonly names: string[] = [];

  add(path: string): void {
    this.count += 1;
    if (this.names.length < SHOWN) this.names.push(path);
  }

  get sample(): Sample {
    return { count: this.count, names: this.names };
  }
}

/** The same for ignored entries, with their files and bytes. */
export class IgnoredTally {
  private readonly entries = new Tally();
  private files = 0;
  private bytes: number | null = 0;
  private readonly isMeasured: boolean;

  /** @param isMeasured false: files and bytes are not known. */
  constructor(isMeasured: boolean) {
    this.isMeasured = isMeasured;
  }

  /** @param bytes null: they cannot be read, so that nothing can be said of all of them. */
  add(path: string, files: number, bytes: number | null): void {
    this.entries.add(path);
    this.files += files;
    this.bytes = this.bytes === null || bytes === null ? null : this.bytes + bytes;
  }

  get kind(): IgnoredKind {
    const measured = this.isMeasured ? { files: this.files, bytes: this.bytes } : { files: null, bytes: null };
    return { ...this.entries.sample, ...measured };
  }
}

/** The same for those that nothing makes again, with all of their names. */
export class PreciousTally extends IgnoredTally {
  private readonly paths: string[] = [];
  private readonly most: number;

  /** @param most with more than these no name is kept. */
  constructor(most: number) {
    super(true);
    this.most = most;
  }

  override add(path: string, files: number, bytes: number | null): void {
    super.add(path, files, bytes);
    if (this.paths.length <= this.most) this.paths.push(path);
  }

  override get kind(): PreciousKind {
    return { ...super.kind, paths: this.paths.length > this.most ? null : this.paths };
  }
}
