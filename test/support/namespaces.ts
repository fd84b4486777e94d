import { seesAllProcesses } from '../../src/survey/worktree/pid-namespace.ts';

/** False where these tests run in a container, or on a system without such a list: there nothing is known to be gone. */
export const canProveDeath = seesAllProcesses(4_194_305);
