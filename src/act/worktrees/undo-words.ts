import { quoted } from '../../judge/holds/worktree/hold.ts';

/** The command that brings a worktree back beside its old place. @param path a byte string, as the command is */
export function toAnotherPlace(id: string, path: string): string {
  return `coppice undo ${id} --to ${quoted(`${path}-2`) ?? 'PATH'}`;
}
