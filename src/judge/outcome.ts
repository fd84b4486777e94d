/** What became of one thing that was to be changed. */
export interface Outcome {
  /** `kept`: it was not as it had been judged, and nothing was changed. */
  readonly status: 'done' | 'kept' | 'failed';
  /** As a byte string. */
  readonly text: string;
  /** A command that brings it back, as a byte string; null: nothing was changed, or no command can be written. */
  readonly undo: string | null;
}
