/** Whose a process is, and whether that account could write in a folder. */
import { readFileSync, statSync } from 'node:fs';
import { absent, type Fact, known, unknown } from '../../judge/facts/fact.ts';
import { nativePath } from '../bytes.ts';
import { isOver } from './stat.ts';

export interface Credentials {
  /** Real, effective, saved and file system user id. */
  readonly users: readonly number[];
  readonly groups: readonly number[];
}

/** Absent: the process is over. */
export function readCredentials(pid: number, proc: string): Fact<Credentials> {
  try {
    const text = readFileSync(`${proc}/${pid}/status`, 'latin1');
    const users = numbersIn(text, 'Uid');
    const groups = [...numbersIn(text, 'Gid'), ...numbersIn(text, 'Groups')];
    return users.length === 0 ? unknown('whose it is is not told') : known({ users, groups });
  } catch (fault) {
    return isOver(fault) ? absent : unknown('whose it is may not be read');
  }
}

function numbersIn(status: string, field: string): number[] {
  const line = new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  return line.split(/\s+/).filter(Boolean).map(Number);
}

/** True when it is another account than this one and root, and could write in the folder, or when that cannot be told. */
export function couldReach(credentials: Fact<Credentials>, folder: string, account: number | null): boolean {
  if (credentials.kind !== 'known') return credentials.kind === 'unknown';
  const { users, groups } = credentials.value;
  const others = users.filter((user) => user !== account && user !== 0);
  if (others.length === 0) return false;
  const { mode, uid, gid } = statSync(nativePath(folder));
  if (others.includes(uid)) return (mode & 0o200) !== 0;
  return (mode & (groups.includes(gid) ? 0o022 : 0o002)) !== 0;
}
