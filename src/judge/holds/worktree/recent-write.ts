// Question: was it written to within the idle time?
// Evidence: the newest of its own files and its HEAD's reflog. Age proves nothing; a write just now is a hint that somebody works there.
import { holds } from '../../evidence.ts';
import { spanWords } from '../../span.ts';
import { quoted, type WorktreeHold } from './hold.ts';

export const recentWrite: WorktreeHold = ({ path, measure, adminState }, { idle, now }) => {
  const write = measure.kind === 'known' ? measure.value.lastWrite : null;
  const move =
    adminState.kind === 'known' && adminState.value.lastMove !== null ? adminState.value.lastMove * 1000 : null;
  const moved = move !== null && move > (write?.time ?? -Infinity);
  const last = moved ? move : (write?.time ?? null);
  // A time yet to come is no sign of rest; where no time is asked for, none counts.
  if (last === null || idle === 0 || now - last >= idle) return null;
  const what = moved ? 'its HEAD was moved' : `${write?.path} was written`;
  const folder = quoted(path);
  return holds('recent-write', `${what} ${agoWords(now - last)}`, {
    grade: 'hint',
    source: 'files',
    check:
      folder === null
        ? null
        : moved
          ? `git -C ${folder} reflog -1 --date=iso`
          : `ls -ld --time-style=full-iso ${folder}/*`,
  });
};

function agoWords(milliseconds: number): string {
  return milliseconds < 0 ? 'at a time that is yet to come' : `${spanWords(milliseconds)} ago`;
}
