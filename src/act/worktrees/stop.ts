/** Why a worktree was not moved, or not brought back; whatever was changed until then is put back. */
export class Stop extends Error {
  readonly kind: 'kept' | 'failed';

  /** @param kind kept: it is not as it was judged. failed: it could not be done. @param text a byte string. */
  constructor(kind: 'kept' | 'failed', text: string) {
    super(text);
    this.kind = kind;
  }
}
