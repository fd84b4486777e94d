// Question: does another repository lie in it?
// Evidence: a walk by names for `.git`, also in ignored and rebuildable folders. Whatever it holds, it holds.
import { holds } from '../../evidence.ts';
import type { ContentHold } from './hold.ts';

export const nestedRepository: ContentHold = ({ nested }) => {
  const [first] = nested;
  if (first === undefined) return null;
  const more = nested.length === 1 ? '' : `, and ${nested.length - 1} more`;
  return holds('nested-repository', `a repository lies in it at ${first.path} (${first.what})${more}`, {
    source: 'files',
  });
};
