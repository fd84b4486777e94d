// Question: is it known what work is merged into, and is that what the remote has now?
// Evidence: the base's resolution, and this run's ls-remote.
// Cannot know: no branch is judged.
import { type Evidence, holds } from '../evidence.ts';
import type { Survey } from '../facts/survey.ts';

export const baseUnknown = (survey: Survey): Evidence | null =>
  survey.base.kind === 'known'
    ? null
    : holds(
        'base-unknown',
        `it is not known what it would be merged into: ${survey.base.kind === 'unknown' ? survey.base.reason : 'there is no base'}`,
      );

export const remoteUnverified = (survey: Survey): Evidence | null =>
  survey.baseMoved
    ? holds('remote-unverified', 'the remote moved its default branch while it was read; run again')
    : null;
