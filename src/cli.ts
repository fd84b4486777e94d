import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

declare const COPPICE_VERSION: string;
/** The file beside this one that holds all verbs; see scripts/build.mjs. */
declare const COPPICE_PROGRAM: string;
/** The hash of what V8 made of it. */
declare const COPPICE_COMPILED: string;

type Program = Pick<typeof import('./wire.ts'), 'wire'> & Pick<typeof import('./app.ts'), 'run'>;

const argv = process.argv.slice(2);
let isOutputLost = false;
process.stdout.on('error', onOutputError);

// Answered before anything is loaded: scripts ask it often.
if (argv.length === 1 && argv[0] === '--version') process.stdout.write(`${COPPICE_VERSION}\n`);
else void main();

async function main(): Promise<void> {
  process.stderr.on('error', () => {});
  try {
    const { wire, run } = loadProgram(join(__dirname, COPPICE_PROGRAM));
    const exit = await run(wire(), argv);
    if (!isOutputLost) process.exitCode = exit;
  } catch (error) {
    // The context itself could not be made, so that there is nothing to render with.
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`coppice: internal error: ${message.replace(/[^ -~]/g, '?')}\n`);
    process.exitCode = 2;
  }
}

/**
 * As `require` does, but with what V8 made of it when it was built: to compile it anew takes half of the time that a
 * start does. V8 takes that for its very version and flags alone, and compiles otherwise.
 */
function loadProgram(file: string): Program {
  const source = `(function (exports, require, module) {${readFileSync(file, 'latin1')}\n})`;
  const script = new Script(source, { filename: file, cachedData: readCompiled(`${file}.v8`) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module);
  return module.exports as Program;
}

/** V8 does not see whether it was damaged, and would run it. */
function readCompiled(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    return createHash('sha256').update(bytes).digest('hex') === COPPICE_COMPILED ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function onOutputError(error: NodeJS.ErrnoException): void {
  // Who closed the pipe has read enough. Anything else, such as a full disk, lost the answer.
  if (error.code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  process.exitCode = 2;
  process.stderr.write(`coppice: the output could not be written: ${error.code}\n`);
}
