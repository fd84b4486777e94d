/** Temporary folders that are gone when the test is over. */
import { chmodSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a folder; whoever asks removes it. Its path has no link in it, so that paths compare as text. */
export function makeFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'coppice-test-')));
}

/** Makes a folder that is removed when the running test ends, failed or not. */
export function temporaryFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Removes a folder, also one in which a test took permissions away. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    openUp(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function openUp(folder: string): void {
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) openUp(path);
  }
}
