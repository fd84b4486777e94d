// Question: is the folder the worktree that its git directory says it is, and this account's?
// Evidence: both name each other, by device and inode; the owner of the folder and of its `.git` file.
// Cannot know: a folder that cannot be looked at counts as one whose pointer is broken.
import { holds } from '../../evidence.ts';
import { quoted, type WorktreeHold } from './hold.ts';

export const identityHold: WorktreeHold = ({ identity, path }) => {
  const name = quoted(path);
  const check = name === null ? null : `ls -ld ${name} ${name}/.git`;
  if (identity.kind === 'proven') return null;
  if (identity.kind === 'foreign-owner')
    return holds('foreign-owner', `${identity.what} belongs to user ${identity.owner}`, { check, source: 'files' });
  return holds(identity.kind, identity.why, { check, source: 'files' });
};
