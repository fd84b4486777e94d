/** Mounts that are gone when the test is over. */
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from './processes.ts';

const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

function system(program: string, ...args: readonly string[]): boolean {
  return run('/usr/bin/env', [program, ...args], { cwd: '/', env }).code === 0;
}

/** False where this account may not mount anything: most people's machines, and many a build server. */
export const canMount = ((): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'coppice-test-'));
  try {
    return system('mount', '-t', 'tmpfs', 'none', folder) && system('umount', folder);
  } finally {
    rmdirSync(folder);
  }
})();

/** Mounts an empty file system of that size at `folder`, which is made. */
export function mountEmpty(folder: string, size = '1m'): void {
  mkdirSync(folder, { recursive: true });
  mount(folder, '-t', 'tmpfs', '-o', `size=${size},mode=777`, 'none', folder);
}

/** Shows the folder or file `from` at `at` as well. */
export function mountBound(from: string, at: string): void {
  mount(at, '--bind', from, at);
}

function mount(at: string, ...args: readonly string[]): void {
  if (!system('mount', ...args)) throw new Error(`mount ${args.join(' ')} failed`);
  onTestFinished(() => {
    if (!system('umount', at)) throw new Error(`umount ${at} failed`);
  });
}
