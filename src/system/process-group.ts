/** Programs in a process group of their own, which can be ended together with all that they started. */
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
