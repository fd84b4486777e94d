/** Who is in a worktree. */

/** How a process uses a place. */
export type Use =
  /** Its working folder or its root is there. */
  | { readonly how: 'works' | 'root' }
  /** It has a file there open, or mapped into its memory: a byte string, as the process sees it. */
  | { readonly how: 'open' | 'mapped'; readonly path: string }
  /** It has itself told of changes there. */
  | { readonly how: 'watches' }
  /** It may: why that cannot be told, in words. */
  | { readonly how: 'perhaps'; readonly why: string };

/** A process that uses a place. */
export type Occupant = Use & {
  readonly pid: number;
  /** The program's short name, as a byte string; null: not known. Programs choose it themselves. */
  readonly name: string | null;
};

export interface Presence {
  readonly occupants: readonly Occupant[];
  /** Processes, of all there are, that could not be looked at. */
  readonly unreadable: number;
}
