/** A small history as a stream for `git fast-import`. */

export type Files = ReadonlyMap<string, string>;

/** A commit of the stream, and the files it leaves. */
export interface Commit {
  readonly mark: number;
  readonly files: Files;
}

export interface History {
  /** Adds a commit with `files` on top of `parents`; the stream holds whole files only. */
  commit(message: string, files: Files, parents: readonly Commit[]): Commit;
  /** Points a ref at a commit. */
  ref(name: string, commit: Commit): void;
  stream(): string;
}

export const DEMO_PERSON = { name: 'Ada Demo', email: 'ada@example.org' } as const;
/** When the first commit was made; one follows a minute. */
export const DEMO_START = 1_750_000_000;

export function createHistory(): History {
  const parts: string[] = [];
  let marks = 0;
  return {
    commit(message, files, [first, ...others]) {
      marks += 1;
      const person = `${DEMO_PERSON.name} <${DEMO_PERSON.email}> ${DEMO_START + marks * 60} +0000`;
      const before = first?.files ?? new Map<string, string>();
      parts.push(
        `commit refs/demo/scratch\nmark :${marks}\nauthor ${person}\ncommitter ${person}\n${data(message)}`,
        first === undefined ? '' : `from :${first.mark}\n`,
        ...others.map((parent) => `merge :${parent.mark}\n`),
        ...[...files]
          .filter(([path, text]) => before.get(path) !== text)
          .map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
        '\n',
      );
      return { mark: marks, files };
    },
    ref(name, commit) {
      parts.push(`reset ${name}\nfrom :${commit.mark}\n\n`);
    },
    stream: () => `${parts.join('')}done\n`,
  };
}

/** `files` with one of them changed. */
export function withFile(files: Files, path: string, change: (lines: string[]) => void): Files {
  const lines = (files.get(path) ?? '').split('\n');
  change(lines);
  return new Map(files).set(path, lines.join('\n'));
}

// Everything in the stream is ASCII, so that characters are bytes.
function data(text: string): string {
  return `data ${text.length}\n${text}\n`;
}
