import type { SurveyDocument } from '../contract/sweep.ts';
import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { shortId, shortRef } from './words.ts';

/** Doubts, one line each, then which repository was judged, and by what. */
export function renderHeading(document: SurveyDocument, style: Style): string[] {
  const { doubts, repository, fetch } = document;
  const where = style.strong(sanitize(repository.path));
  const base =
    repository.base === null
      ? 'no base to judge by'
      : `judged by ${sanitize(shortRef(repository.base.ref))} at ${shortId(repository.base.oid)}`;
  return [
    ...doubts.map(({ code, text }) => `${style.alarm('!')} ${sanitize(code)}: ${sanitize(text)}`),
    `${where}: ${base}, ${fetchWords(fetch)}`,
  ];
}

function fetchWords({ status }: SurveyDocument['fetch']): string {
  switch (status) {
    case 'fresh':
      return 'read from the remote just now';
    case 'skipped':
    case 'failed':
      return 'as last fetched';
    case 'no-remote':
      return 'no remote was read';
  }
}
