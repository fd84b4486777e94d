declare const COPPICE_VERSION: string;

const argv = process.argv.slice(2);
let isOutputLost = false;
process.stdout.on('error', onOutputError);

// Answered before anything is loaded: scripts ask it often.
if (argv.length === 1 && argv[0] === '--version') {
  process.stdout.write(`${COPPICE_VERSION}\n`);
} else {
  await main();
}

async function main(): Promise<void> {
  process.stderr.on('error', () => {});
  try {
    const [{ wire }, { run }] = await Promise.all([import('./wire.ts'), import('./app.ts')]);
    const exit = await run(wire(), argv);
    if (!isOutputLost) process.exitCode = exit;
  } catch (error) {
    // The context itself could not be made, so that there is nothing to render with.
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`coppice: internal error: ${message.replace(/[^ -~]/g, '?')}\n`);
    process.exitCode = 2;
  }
}

function onOutputError(error: NodeJS.ErrnoException): void {
  // Who closed the pipe has read enough. Anything else, such as a full disk, lost the answer.
  if (error.code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  process.exitCode = 2;
  process.stderr.write(`coppice: the output could not be written: ${error.code}\n`);
}
