/** Files of all kinds, and what must be the same of them when they come back from a copy. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

export const put = (content: string | Buffer, ...parts: readonly string[]) => {
  const path = join(...parts);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};

/** Mode, time and content of every file and link below, by name. */
export function filesIn(top: string): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const visit = (folder: Buffer, prefix: string) => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      const stats = lstatSync(path);
      const key = `${prefix}${name.toString('latin1')}`;
      const target = () => readlinkSync(path, { encoding: 'latin1' });
      if (stats.isDirectory()) visit(path, `${key}/`);
      else if (stats.isSymbolicLink()) seen.set(key, `link ${target()}`);
      else if (stats.isFile())
        seen.set(
          key,
          [stats.mode & 0o777, Math.round(stats.mtimeMs / 100), readFileSync(path).toString('hex')].join(' '),
        );
      else seen.set(key, 'other');
    }
  };
  visit(Buffer.from(top), '');
  return seen;
}

const name = fc.oneof(
  fc.constantFrom('-rf', 'a b', "it's", 'ümläut', '*', '$(x)', 'a\nb', '.git-not', 'CON', ' '),
  fc.constantFrom('\xff\xfe', 'caf\xe9'),
  fc.stringMatching(/^[a-zA-Z0-9._-]{1,12}$/).filter((one) => !/^\.{1,2}$/.test(one)),
);
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', 'one\r\ntwo\r\n', '\0\0\0', 'no end').map((text) => Buffer.from(text)),
);
/** A file or a link with a name and a content of any kind. */
export const anyEntry = fc.record({
  folders: fc.array(name, { maxLength: 2 }),
  name,
  what: fc.oneof(
    fc.record({ content, mode: fc.constantFrom(0o644, 0o600, 0o755, 0o400) }),
    fc.record({ target: fc.constantFrom('../x', '/nowhere', 'a\nb', '.') }),
  ),
});

/** Makes what of it can be made. */
export function plant(
  top: string,
  entries: readonly (typeof anyEntry extends fc.Arbitrary<infer Entry> ? Entry : never)[],
): void {
  for (const { folders, name: last, what } of entries) {
    const folder = Buffer.from([top, ...folders].join('/'), 'latin1');
    const path = Buffer.concat([folder, Buffer.from(`/${last}`, 'latin1')]);
    try {
      mkdirSync(folder, { recursive: true });
      if ('target' in what) symlinkSync(what.target, path);
      else writeFileSync(path, what.content, { flag: 'wx', mode: what.mode });
    } catch {
      // Two of one name.
    }
  }
}
