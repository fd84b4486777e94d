/** What came of a repository's value meeting the one in force. */
export interface Joined<T> {
  readonly value: T;
  /** The part of the repository's value that is not used because it would weaken; null when all of it is used. */
  readonly refused: T | null;
}

/** How a repository's value of a setting and the value in force (default and user) become one. */
export interface Merge<T> {
  /** What a repository may do to the value, for people: "may only make it longer". */
  readonly words: string;
  /** `set`: the value in force was written by the user, and is no default. */
  join(ours: T, theirs: T, set: boolean): Joined<T>;
}

type Texts = readonly string[];

/** The larger number wins. */
export const LARGER: Merge<number> = {
  words: 'may only make it longer',
  join: (ours, theirs) => (theirs < ours ? { value: ours, refused: theirs } : { value: theirs, refused: null }),
};

/** The larger number wins, and off (null) beats every number. */
export const LARGER_OR_OFF: Merge<number | null> = {
  words: 'may only make it longer or switch it off',
  join(ours, theirs) {
    const weaker = theirs !== null && (ours === null || theirs < ours);
    return weaker ? { value: ours, refused: theirs } : { value: theirs, refused: null };
  },
};

/** The smaller number wins. */
export const SMALLER: Merge<number> = {
  words: 'may only make it smaller',
  join: (ours, theirs) => (theirs > ours ? { value: ours, refused: theirs } : { value: theirs, refused: null }),
};

/** `true` wins. */
export const TRUE_WINS: Merge<boolean> = {
  words: 'may only switch it on',
  join: (ours, theirs) => (ours && !theirs ? { value: ours, refused: theirs } : { value: theirs, refused: null }),
};

/** The later of `choices`, which go from the loosest to the strictest, wins. */
export function stricterOf<const C extends Texts>(choices: C): Merge<C[number]> {
  return {
    words: `may only make it stricter (${choices.join(', then ')})`,
    join(ours, theirs) {
      const weaker = choices.indexOf(theirs) < choices.indexOf(ours);
      return weaker ? { value: ours, refused: theirs } : { value: theirs, refused: null };
    },
  };
}

/** The repository's entries are added; none takes one away. */
export const ADDS: Merge<Texts> = {
  words: 'may only add',
  join: (ours, theirs) => ({ value: union(ours, theirs), refused: null }),
};

/**
 * The repository's patterns are appended, so that no earlier `!pattern` undoes them (the last match decides); its own
 * `!pattern` entries are refused.
 */
export const PROTECTS: Merge<Texts> = {
  words: 'may only protect more',
  join(ours, theirs) {
    const protecting = theirs.filter((entry) => !entry.startsWith('!'));
    return { value: appended(ours, protecting), refused: someOrNull(theirs.filter((entry) => entry.startsWith('!'))) };
  },
};

/** Only what both name stays. */
export function narrows<T extends string>(): Merge<readonly T[]> {
  return {
    words: 'may only leave out',
    join: (ours, theirs) => ({
      value: ours.filter((entry) => theirs.includes(entry)),
      refused: someOrNull(theirs.filter((entry) => !ours.includes(entry))),
    }),
  };
}

/** For what is neither stricter nor weaker: the user's own word wins, and the repository's counts where there is none. */
export function fallback<T>(): Merge<T> {
  return {
    words: 'counts where the user set nothing',
    join: (ours, theirs, set) => ({ value: set ? ours : theirs, refused: null }),
  };
}

/** Both lists, each entry once, the first place counts. */
export function union(ours: Texts, theirs: Texts): Texts {
  return [...new Set([...ours, ...theirs])];
}

/** Both lists where the last match decides: an entry that comes again counts at its last place. */
export function appended(ours: Texts, theirs: Texts): Texts {
  const all = [...ours, ...theirs];
  return all.filter((entry, index) => all.lastIndexOf(entry) === index);
}

function someOrNull<T>(entries: readonly T[]): readonly T[] | null {
  return entries.length > 0 ? entries : null;
}
