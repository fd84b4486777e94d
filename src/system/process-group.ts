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

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
/** A terminal sends these to all programs in front of it, so that passing them on would send them twice. */
const BY_KEYS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/**
 * Hands signals to `pass` instead of ending by them. @returns takes that back.
 */
export function passSignals(pass: (signal: NodeJS.Signals) => void): () => void {
  const hand = (signal: NodeJS.Signals) => {
    const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
    if (!(hasTerminal && BY_KEYS.includes(signal))) pass(signal);
  };
  for (const signal of PASSED_ON) process.on(signal, hand);
  return () => {
    for (const signal of PASSED_ON) process.off(signal, hand);
  };
}

/** Ends this process by a signal, as a program that it ran for somebody ended; returns where that does not work. */
export function endBy(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
}
