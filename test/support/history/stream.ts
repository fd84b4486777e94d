/** Writes commits as a stream for `git fast-import`: hundreds of them in one process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../repository.ts';
import { contentOf, type FileState, type Tree } from './model.ts';

/** A commit, and what its tree is. */
export interface Made {
  readonly mark: number;
  readonly tree: Tree;
  /** First parents' marks, oldest last; to know what a fork has. */
  readonly parents: readonly Made[];
}

export class Stream {
  private readonly parts: string[] = ['feature done\n'];
  private marks = 0;
  private seconds: number;

  constructor(seconds: number) {
    this.seconds = seconds;
  }

  commit(ref: string, tree: Tree, parents: readonly Made[], subject: string): Made {
    this.marks += 1;
    this.seconds += 60;
    const who = `Ash Hazel <ash@example.org> ${this.seconds} +0000`;
    this.parts.push(`commit ${ref}\nmark :${this.marks}\nauthor ${who}\ncommitter ${who}\n${data(subject)}`);
    for (const [index, parent] of parents.entries())
      this.parts.push(`${index === 0 ? 'from' : 'merge'} :${parent.mark}\n`);
    this.parts.push(...differences(parents[0]?.tree ?? new Map<string, FileState>(), tree), '\n');
    return { mark: this.marks, tree, parents };
  }

  /** Makes `ref` name a commit. */
  reset(ref: string, at: Made): void {
    this.parts.push(`reset ${ref}\nfrom :${at.mark}\n\n`);
  }

  /** Imports everything; returns the ids by mark. */
  importInto(repository: Repository): Map<number, string> {
    const marks = join(repository.places.root, 'marks');
    const input = `${this.parts.join('')}done\n`;
    repository.gitWith(
      { input },
      '-c',
      'core.logAllRefUpdates=false',
      'fast-import',
      '--quiet',
      '--force',
      `--export-marks=${marks}`,
    );
    const lines = readFileSync(marks, 'utf8').trimEnd().split('\n');
    return new Map(lines.map((line) => [Number(line.slice(1, line.indexOf(' '))), line.slice(line.indexOf(' ') + 1)]));
  }
}

function differences(before: Tree, after: Tree): string[] {
  const parts: string[] = [];
  // Deletions first: what is deleted may stand where a new folder comes.
  for (const path of before.keys()) if (!after.has(path)) parts.push(`D ${path}\n`);
  for (const [path, state] of after) {
    if (before.get(path) !== state) parts.push(`M ${state.mode} inline ${path}\n${data(contentOf(state))}`);
  }
  return parts;
}

/** Only ASCII is written, so that characters are bytes. */
function data(text: string): string {
  return `data ${text.length}\n${text}\n`;
}
