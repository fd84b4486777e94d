import type { PurgeItem } from '../context.ts';
import type { PurgeDocument } from '../contract/purge.ts';
import { sizeWords } from '../judge/size.ts';
import { createReadable, momentText, outcomeDocument } from './document.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';

/** The document of `purge`. */
export function purgeDocument(items: readonly PurgeItem[], apply: boolean, home: string | null): PurgeDocument {
  const readable = createReadable(home);
  return {
    schema: 'coppice.purge.v1',
    mode: apply ? 'apply' : 'dry-run',
    items: items.map(({ kind, run, path, put, bytes, count, isDue, outcome }) => ({
      kind,
      run,
      path: path === null ? null : readable.path(path),
      at: momentText(put),
      bytes,
      refs: count,
      due: isDue,
      ...(outcome === null ? {} : { outcome: outcomeDocument(outcome, readable) }),
    })),
  };
}

/** What `purge` prints for people. */
export function renderPurge({ mode, items }: PurgeDocument, style: Style): string {
  if (items.length === 0) return 'The trash is empty.\n';
  const lines = items.map(({ kind, run, path, at, bytes, refs, due, outcome }) => {
    const name = kind === 'cache' ? 'cache' : 'worktree';
    const what =
      kind === 'anchors'
        ? `${refs} anchors of ${run}`
        : `${path === null ? 'trash' : `${name} ${sanitize(path)}`} of ${run}, ${sizeWords(bytes)}`;
    const state = outcome === undefined ? (due ? 'due' : 'waits') : outcome.text;
    const paint = outcome?.status === 'failed' ? style.alarm : due ? style.goes : style.stays;
    return `${at}  ${what}: ${paint(sanitize(state))}`;
  });
  const isDue = mode === 'dry-run' && items.some(({ due }) => due);
  return `${[...lines, '', isDue ? 'Nothing was deleted. The same with --apply deletes what is due for good.' : footOf(mode, items)].join('\n')}\n`;
}

function footOf(mode: PurgeDocument['mode'], items: PurgeDocument['items']): string {
  if (mode === 'dry-run') return 'Nothing is due.';
  const gone = items.filter(({ outcome }) => outcome?.status === 'done').length;
  return gone === 0 ? 'Nothing was deleted.' : `Deleted for good: ${gone}.`;
}
