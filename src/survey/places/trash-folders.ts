/** Where worktrees may be put aside: beside the repository's own state, or in another place of the same file system. */
import { coppiceHome } from '../../config/homes.ts';
import type { Settings } from '../../config/table.ts';
import type { TrashPlace } from '../../judge/facts/worktree.ts';
import { toByteString } from '../../system/bytes.ts';
import type { World } from '../world.ts';

/** The name of a trash in a managed root. */
export const TRASH_NAME = '.coppice-trash';

export interface TrashRequest {
  /** The git directory that all worktrees share, as a byte string. */
  readonly commonDir: string;
  readonly settings: Pick<Settings, 'trash.path'>;
  readonly world: Pick<World, 'env' | 'home' | 'platform'>;
  /** Managed roots that are there, as byte strings without links on the way. */
  readonly roots: readonly string[];
}

/** In the order in which they are tried. */
export function trashFolders({ commonDir, settings, world, roots }: TrashRequest): TrashPlace[] {
  const named = settings['trash.path'];
  const home = coppiceHome(world);
  const state = `${commonDir}/coppice`;
  const alone = (folder: string): TrashPlace => ({ folder, from: folder });
  return [
    { folder: `${state}/trash`, from: state },
    ...(named === null ? [] : [alone(toByteString(named))]),
    ...roots.map((root) => alone(`${root}/${TRASH_NAME}`)),
    ...(home === null ? [] : [{ folder: `${toByteString(home)}/trash`, from: toByteString(home) }]),
  ];
}
