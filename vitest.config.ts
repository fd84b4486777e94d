import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

export default defineConfig({
  // The same compile-time constant that scripts/build.mjs sets.
  define: { COPPICE_VERSION: JSON.stringify(version) },
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    // Minutes of waiting for gits that hang: `npm run torture` alone.
    exclude: process.env['COPPICE_TORTURE'] === 'all' ? [] : ['test/act/hanging.test.ts'],
    globals: false,
    pool: 'forks',
    // One more than the cores that this is meant for: tests often wait for a program.
    maxWorkers: 3,
    retry: 0,
    // For what hangs alone: a busy machine takes several times as long as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
