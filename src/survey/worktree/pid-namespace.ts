/** Whether a number of a process means here what it meant to whoever wrote it down. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isOver } from '../../system/processes/stat.ts';

/** The first namespace of processes has the same number on every Linux; from it, and only from it, all are seen. */
const FIRST = 'pid:[4026531836]';

/**
 * True when every process of this machine is seen, and none bears that number in a namespace of its own, as those in
 * containers do: then the process that was called `pid` is no other than the one that is called so here.
 * @param proc where processes are listed, for tests.
 */
export function seesAllProcesses(pid: number, proc = '/proc'): boolean {
  try {
    if (readlinkSync(`${proc}/self/ns/pid`) !== FIRST) return false;
    const pids = readdirSync(proc).filter((name) => /^\d+$/.test(name));
    // Of a list that hides those of others nothing follows.
    return pids.includes('1') && pids.every((one) => !innerPids(`${proc}/${one}/status`).includes(pid));
  } catch {
    // Without such a list, or where one may not be looked at, it is not known.
    return false;
  }
}

/** The numbers that a process has in namespaces below this one; none of one that is over. Throws the system's own fault. */
function innerPids(status: string): number[] {
  let text: string;
  try {
    text = readFileSync(status, 'latin1');
  } catch (fault) {
    if (isOver(fault)) return [];
    throw fault;
  }
  const numbers = /^NSpid:\t(.*)$/m.exec(text)?.[1];
  if (numbers === undefined) throw new Error('this kernel does not tell of namespaces');
  return numbers.split('\t').slice(1).map(Number);
}
