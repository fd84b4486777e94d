/** Signals: to programs in a process group of their own, which can be ended with all that they started; and to ourselves. */
import process from 'node:process';

/** Ends the process group that `leader` leads, as far as it is still there. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (fault) {
    // It ended by itself meanwhile.
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
  }
}

/** Whether there is a process of that id, of whatever account. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Has `work` done before a signal ends this process: a terminal's signals do not reach another process group.
 * @returns takes that back.
 */
export function beforeWeEnd(work: () => void): () => void {
  const end = (signal: NodeJS.Signals) => {
    work();
    forget();
    process.kill(process.pid, signal);
  };
  const forget = () => {
    for (const signal of ENDING) process.off(signal, end);
  };
  for (const signal of ENDING) process.on(signal, end);
  return forget;
}
