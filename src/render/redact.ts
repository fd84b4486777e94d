/** Replaces the caller's home folder by `~`, by whole path segments, so that output can be shared. */
export interface Redactor {
  /** A path: `/home/ada/src` becomes `~/src`, `/home/adam` stays. */
  path(path: string): string;
  /** A text that may name paths. */
  text(text: string): string;
}

/** A redactor for `home`; without a usable home it changes nothing. */
export function createRedactor(home: string | null): Redactor {
  const folder = (home ?? '').replace(/\/+$/, '');
  if (!folder.startsWith('/')) return { path: (path) => path, text: (text) => text };

  const below = `${folder}/`;
  // A path begins where no file name stands before it (`/mnt/home/ada` is another folder), and its last segment ends at
  // a slash, at the end, or where a sentence goes on.
  const before = `(?<![^\\s/"'\`()\\[\\]{}<>=:,;|]/?)`;
  const after = `(?=/|$|[\\s"'\`)\\]}>|]|[,;:.!?](?:\\s|$))`;
  const inText = new RegExp(before + escapeRegExp(folder) + after, 'g');
  return {
    path(path) {
      if (path === folder) return '~';
      return path.startsWith(below) ? `~/${path.slice(below.length)}` : path;
    },
    text(text) {
      return text.includes(folder) ? text.replace(inText, '~') : text;
    },
  };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
