/** A branch's settings: taken away with it, and put back. */
import { isOfBranch, type Section, sectionsOf, withoutSections, withSection } from '../../git/parse/config-file.ts';
import { branchName, type RefName } from '../../judge/facts/names.ts';
import type { SavedBranch } from '../../state/trash/record.ts';
import { readWhole, type TrashEntry } from '../../state/trash/store.ts';
import type { Acting } from '../acting.ts';
import { differsOnlyBy, editConfig, NOT_OURS } from './config.ts';

/** A branch, and the name under which it is, or was to be, again. */
export interface Again {
  readonly saved: SavedBranch;
  readonly ref: RefName;
}

/** Takes away the sections of branches that are gone. @returns by ref why they stay, for those of which they do. */
export async function removeSections(
  acting: Acting,
  entry: TrashEntry,
  branches: readonly Again[],
): Promise<ReadonlyMap<RefName, string>> {
  const wanted = branches.filter(({ saved }) => saved.sections.length > 0);
  const stay = new Map<RefName, string>();
  if (wanted.length === 0) return stay;
  const was = savedConfig(acting, entry);
  const removal = (bytes: string): string | null => {
    const now = sectionsOf(bytes);
    const then = was === null ? null : sectionsOf(was);
    if (now === null || was === null || then === null) throw new RangeError('not readable');
    const gone: Section[] = [];
    for (const one of wanted) {
      const own = now.filter((section) => isOfBranch(section, branchName(one.ref)));
      const texts = textsOf(was, then, one);
      const isAsSaved = own.length === texts.length && own.every((section, at) => textOf(bytes, section) === texts[at]);
      if (isAsSaved) gone.push(...own);
      else stay.set(one.ref, 'somebody has just changed them');
    }
    return withoutSections(bytes, gone);
  };
  const names = wanted.map(({ ref }) => branchName(ref));
  const failure = await attempt(() => editConfig(acting, removal, differsOnlyBy(names)));
  if (failure !== null) for (const { ref } of wanted) stay.set(ref, failure);
  return stay;
}

/** Why they are not back, and whether another try will not do better. */
export interface Missing {
  readonly text: string;
  readonly isLasting: boolean;
}

/**
 * Puts them back, byte for byte where they were; under another name with that name in their headers.
 * @returns by the names under which they are why that did not work, for those of which it did not.
 */
export async function restoreSections(
  acting: Acting,
  entry: TrashEntry,
  branches: readonly Again[],
): Promise<ReadonlyMap<RefName, Missing>> {
  const wanted = branches.filter(({ saved }) => saved.sections.length > 0);
  const missing = new Map<RefName, Missing>();
  if (wanted.length === 0) return missing;
  const all = (text: string, isLasting: boolean) => new Map(wanted.map(({ ref }) => [ref, { text, isLasting }]));
  const was = savedConfig(acting, entry);
  const then = was === null ? null : sectionsOf(was);
  if (was === null || then === null) return all('what was put aside of them cannot be read', true);
  const addition = (bytes: string): string | null => {
    const now = sectionsOf(bytes);
    if (now === null) throw new RangeError('not readable');
    let next: string | null = bytes;
    for (const { saved, ref } of wanted) {
      const own = then.filter((section) => isOfBranch(section, branchName(saved.ref)));
      const there = now.filter((section) => isOfBranch(section, branchName(ref)));
      const texts = textsOf(was, then, { saved, ref });
      if (there.length > 0) {
        const isSame = there.map((one) => textOf(bytes, one)).join('') === texts.join('');
        if (!isSame) missing.set(ref, { text: 'there are others for that name', isLasting: true });
        continue;
      }
      const put = (section: Section, text: string) => {
        next = next === null ? null : withSection(next, was, section, text);
      };
      const last = own.at(-1);
      if (ref === saved.ref) for (const [at, section] of own.entries()) put(section, texts[at] ?? '');
      // Under another name none of them leads to the place of the next.
      else if (last !== undefined) put(last, texts.map((text, at) => ended(text, at === texts.length - 1)).join(''));
    }
    return next;
  };
  const names = wanted.map(({ ref }) => branchName(ref));
  const failure = await attempt(() => editConfig(acting, addition, differsOnlyBy(names)));
  return failure === null ? missing : all(failure, failure === NOT_OURS);
}

/** Its sections as they are to be under its name. @param then the sections of `was`. */
function textsOf(was: string, then: readonly Section[], { saved, ref }: Again): readonly string[] {
  const own = then.filter((section) => isOfBranch(section, branchName(saved.ref)));
  return own.map((section) => (ref === saved.ref ? textOf(was, section) : renamed(was, section, branchName(ref))));
}

/** With a line feed at its end, where more is to follow. */
function ended(text: string, isLast: boolean): string {
  return isLast || text.endsWith('\n') ? text : `${text}\n`;
}

function savedConfig({ folder }: Acting, entry: TrashEntry): string | null {
  const bytes = readWhole(entry, 'config', folder.account);
  return bytes.kind === 'known' ? bytes.value.toString('latin1') : null;
}

async function attempt(work: () => Promise<string | null>): Promise<string | null> {
  try {
    return await work();
  } catch (fault) {
    if (fault instanceof RangeError) return 'the file is not in a form that git would read';
    throw fault;
  }
}

function textOf(bytes: string, { start, end }: Pick<Section, 'start' | 'end'>): string {
  return bytes.slice(start, end);
}

function renamed(was: string, section: Section, name: string): string {
  const header = `[branch "${name.replace(/["\\]/g, '\\$&')}"]`;
  return textOf(was, section).replace(section.header, () => header);
}
