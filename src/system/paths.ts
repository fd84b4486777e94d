/** Paths as byte strings. */

/** True when `path` is `folder` or lies in it; by name, so both without links on the way. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
