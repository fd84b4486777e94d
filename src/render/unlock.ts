import type { UnlockDocument } from '../contract/unlock.ts';
import type { Unlocked } from '../context.ts';
import { createReadable, outcomeDocument } from './document.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';

/** The document of `unlock`. */
export function unlockDocument(unlocked: readonly Unlocked[], home: string | null): UnlockDocument {
  const readable = createReadable(home);
  return {
    schema: 'coppice.unlock.v1',
    worktrees: unlocked.map(({ worktree, reason, outcome }) => ({
      id: readable.text(`worktree:${worktree.admin}`),
      path: readable.path(worktree.path),
      reason: readable.text(reason),
      outcome: outcomeDocument(outcome, readable),
    })),
  };
}

const WORDS = { done: 'unlocked', kept: 'still locked', failed: 'failed' } as const;

/** What `unlock` prints for people. */
export function renderUnlock({ worktrees }: UnlockDocument, style: Style): string {
  if (worktrees.length === 0) return 'No worktree is locked by a process that is known to be gone.\n';
  return worktrees
    .map(({ path, reason, outcome: { status, text, undo } }) => {
      const paint = status === 'done' ? style.goes : style.stays;
      const way = undo === null ? '' : `  ${style.faint('to lock it again:')} ${sanitize(undo)}\n`;
      return `${paint(WORDS[status])}: ${sanitize(path)}\n  ${sanitize(text)}; the reason was: ${sanitize(reason)}\n${way}`;
    })
    .join('');
}
