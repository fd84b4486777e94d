/** What was written to a tree after it was put aside, such as by a program that had a file of it open. */
import { lstatSync, readdirSync } from 'node:fs';
import { nativePath } from '../system/bytes.ts';

/**
 * The first of it, relative to the tree, as a byte string; null: nothing was. Every write, new name and change of a
 * mode sets a time that nobody can set back. Throws the system's own fault.
 * @param tree whose own time a move has changed, and not that of anything in it
 */
export function lateIn(tree: string, holder: string): string | null {
  const sealed = lstatSync(nativePath(`${holder}/sealed`), { bigint: true }).ctimeNs;
  const find = (folder: string): string | null => {
    for (const entry of readdirSync(nativePath(`${tree}/${folder}`), { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString('latin1');
      // coppice's own pointer.
      if (folder === '' && name === '.git') continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const stats = lstatSync(nativePath(`${tree}/${path}`), { bigint: true });
      // Ticks of the clock are long: what has the same time may have come after.
      if (stats.ctimeNs >= sealed) return path;
      const inner = stats.isDirectory() ? find(path) : null;
      if (inner !== null) return inner;
    }
    return null;
  };
  return find('');
}
