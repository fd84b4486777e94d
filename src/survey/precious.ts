/** When ignored files that nothing makes again keep their worktree, and where copies of them are kept otherwise. */
import { coppiceHome } from '../config/homes.ts';
import type { Settings } from '../config/table.ts';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';
import type { Oid } from '../judge/facts/names.ts';
import type { PreciousRule } from '../judge/facts/survey.ts';
import type { NotesPlace } from '../judge/facts/place.ts';
import { toByteString } from '../system/bytes.ts';
import { provePrivateDir } from '../system/files.ts';
import type { SurveyRequest, World } from './world.ts';
import { ROOT_DIGITS } from './places/managed-roots.ts';

/** Of repositories of which the first commit cannot be told, such as shallow ones. */
const UNROOTED = 'unrooted';

/** More files than these are not copied, unless somebody asks for it. */
const MOST_FILES = 1000;

/** Files that somebody named a size for may be as many as they like. */
export function mostPrecious({ archiveUpTo }: Pick<SurveyRequest, 'archiveUpTo'>): number {
  return archiveUpTo === null ? MOST_FILES : Number.MAX_SAFE_INTEGER;
}

export function preciousRule(
  request: Pick<SurveyRequest, 'archiveUpTo'>,
  settings: Settings,
  world: World,
  rootCommit: Oid | null,
): PreciousRule {
  return {
    holds: settings['ignored.precious'] === 'hold' && request.archiveUpTo === null,
    upTo: request.archiveUpTo ?? settings['ignored.archiveUpTo'],
    most: mostPrecious(request),
    place: notesPlace(world, rootCommit),
  };
}

/** Beside those of its clones. Unknown: none can be kept, and why. */
function notesPlace(world: World, rootCommit: Oid | null): Fact<NotesPlace> {
  const home = coppiceHome(world);
  if (home === null) return unknown('neither COPPICE_HOME nor HOME is set');
  if (world.account === null) return unknown('accounts cannot be told apart here');
  const folder = `${home}/notes/${rootCommit?.slice(0, ROOT_DIGITS) ?? UNROOTED}`;
  const proof = provePrivateDir(folder, { account: world.account, from: home });
  if (proof.kind === 'unknown') return unknown(toByteString(proof.reason));
  return known({ home: toByteString(home), folder: toByteString(folder) });
}
