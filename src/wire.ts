/** Builds the real context: the one place where a command meets the machine. */
import { mkdtemp } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, Output } from './context.ts';
import { UserError } from './judge/facts/user-error.ts';
import type { WorktreeFacts } from './judge/facts/worktree.ts';
import { judge } from './judge/judge.ts';
import { outlineOf } from './judge/worktrees.ts';
import { surveyRepository } from './survey/survey.ts';
import { optimizeLess } from './system/memory.ts';
import { coppiceVersion } from './version.ts';

export function wire(): Context {
  optimizeLess(process.versions.v8);
  return {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    env: process.env,
    // Asked late: a shell can stand in a folder that is gone, and help is to answer there too.
    get cwd() {
      return currentFolder();
    },
    home: homedir() || null,
    version: coppiceVersion,
    now: () => Date.now(),
    sweep: async ({ sketch, ...request }) => {
      const outlines = sketch && {
        sketch: (facts: () => readonly WorktreeFacts[]) => sketch(() => facts().map(outlineOf)),
      };
      return judge(await surveyRepository(world(), { ...request, ...outlines, standingIn: standingIn() }));
    },
    apply: async (request, choose) =>
      (await import('./act/apply.ts')).applySweep(await acting(), { ...request, standingIn: standingIn() }, choose),
    undo: async (request) => (await import('./act/undo.ts')).undo(await acting(), request),
    history: async (directory) => (await import('./act/history.ts')).readHistory(await acting(), directory),
    purge: async (request) => (await import('./act/purge.ts')).purge(await acting(), request),
    notes: async (kind) => (await import('./act/notes/port.ts')).notesPort(await acting(), kind),
    leases: async () => (await import('./state/ports.ts')).leasePort(await state()),
    runs: async () => (await import('./state/ports.ts')).runPort(await state()),
    unlockDead: async (directory) => (await import('./act/unlock.ts')).unlockDead(await state(), directory),
    makeDemo: async () => {
      const [{ buildDemo }, { gitFor, runGit }] = await Promise.all([
        import('./demo/build.ts'),
        import('./git/run.ts'),
      ]);
      const folder = await mkdtemp(join(tmpdir(), 'coppice-demo-'));
      await buildDemo(async (cwd, args, env, input) => {
        const git = gitFor(cwd, process.env);
        const result = await runGit(
          { ...git, env: { ...git.env, ...env, GIT_ALLOW_PROTOCOL: 'file' } },
          args,
          input === undefined ? {} : { input },
        );
        if (result.code !== 0) throw new Error(`git ${args[0]} failed: ${result.stderr.trim()}`);
        return result.stdout.toString('utf8');
      }, folder);
      return folder;
    },
  };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new UserError('no-such-folder', 'the current folder is not there any more', {
      hint: 'name one with -C DIR',
      cause,
    });
  }
}

/** The shell's folder, whatever -C names. None when it is gone. */
function standingIn(): string[] {
  try {
    return [process.cwd()];
  } catch {
    return [];
  }
}

function world() {
  const account = process.getuid?.() ?? null;
  return {
    env: process.env,
    home: homedir() || null,
    platform: process.platform,
    account,
    pid: process.pid,
    uptime: () => process.uptime(),
    now: () => Date.now(),
  };
}

// Loaded late: most verbs have nothing to do with it.
async function state() {
  const { openState } = await import('./state/open.ts');
  return openState({ ...world(), pid: process.pid, parent: process.ppid });
}

async function acting() {
  return { ...world(), ...(await state()) };
}

// A terminal that nobody gave a size says 0.
function output(stream: NodeJS.WriteStream): Output {
  return {
    isTTY: stream.isTTY === true,
    columns: stream.columns || 80,
    rows: stream.rows || 24,
    write: (text) => {
      stream.write(text);
    },
  };
}
