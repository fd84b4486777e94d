/** Another process that holds the lock, by coppice's own code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './folders.ts';

const LOCK = join(import.meta.dirname, '..', '..', 'src', 'system', 'file-lock.ts');

let bundled: Promise<string> | null = null;

/** Built once in a test process. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [LOCK],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [
      {
        name: 'native',
        setup(build) {
          const native = createRequire(LOCK).resolve('fs-native-extensions');
          build.onResolve({ filter: /^fs-native-extensions$/ }, () => ({ path: native, external: true }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** Starts it, and waits until it has the lock. It is killed when the test ends, at the latest. */
export async function startHolder(path: string, note: string): Promise<ChildProcess> {
  const folder = temporaryFolder();
  bundled ??= bundle();
  writeFileSync(join(folder, 'lock.mjs'), await bundled);
  const main = join(folder, 'main.mjs');
  const options = JSON.stringify({ account: process.getuid?.(), wait: 0, note });
  writeFileSync(
    main,
    `import { lockFile } from './lock.mjs';
     const { kind } = await lockFile(${JSON.stringify(path)}, ${options});
     process.stdout.write(kind);
     process.stdin.resume();`,
  );
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(String(data))),
  );
  if (said !== 'locked') throw new Error(`the holder has no lock: ${said}`);
  return child;
}

/** Kills it as a crash would. */
export async function killHolder(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
