/** A process that a script starts in its folder, and that ends with the test. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { quoted } from './programs.ts';
import type { Repository } from './repository.ts';

export function occupiedBy(r: Repository): { readonly script: string; end(): void } {
  const file = join(r.places.root, 'occupant');
  const end = () => {
    if (!existsSync(file)) return;
    try {
      process.kill(Number(readFileSync(file, 'utf8')));
    } catch {
      // It has ended.
    }
  };
  onTestFinished(end);
  return { script: `sleep 300 & echo $! > ${quoted(file)}`, end };
}
