/**
 * `npm run bench -- --retire`: how long it takes to put a worktree aside and to bring it back, with ten files and with a
 * hundred thousand, tracked or ignored. To move it is a rename; what grows is the looks before and after.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, run } from './measure.mjs';
import { retireReport } from './worktree-report.mjs';
import { forest } from './worktree-forest.mjs';

const FULL = [
  { files: 10, ignored: 0 },
  { files: 10, ignored: 100_000 },
  { files: 100_000, ignored: 0 },
];
const QUICK = [
  { files: 10, ignored: 0 },
  { files: 10, ignored: 2000 },
  { files: 2000, ignored: 0 },
];

/** Prints its table; the exit code. */
export async function benchRetire({ cli, temp, env, quick, runs, seed, say, print }) {
  mkdirSync(temp, { recursive: true });
  const clock = writeClock(temp);
  const rows = [];
  for (const [at, { files, ignored }] of (quick ? QUICK : FULL).entries()) {
    say(`${files} tracked and ${ignored} ignored files: making them`);
    const { work } = await forest({ dir: join(temp, `retire-${at}`), count: 1, files, ignored, seed, env });
    const timed = { ...env, NODE_OPTIONS: `--require ${clock.program}` };
    const coppice = async (...words) => {
      const result = await run([process.execPath, cli, ...words], { cwd: work, env: timed });
      if (result.code !== 0)
        throw new Error(`coppice ${words[0]} ended with ${result.code}: ${result.stderr || result.stdout}`);
      return { ms: result.ms, moves: Number(readFileSync(clock.file, 'utf8')) };
    };
    const times = [];
    for (let round = -1; round < runs; round += 1) {
      say(round < 0 ? 'warming up' : `run ${round + 1} of ${runs}`);
      const look = await coppice('retire', 'task-0', '--keep-branch', '--no-fetch');
      const away = await coppice('rm', 'task-0', '--keep-branch', '--no-fetch');
      const back = await coppice('undo', '--last');
      if (round >= 0) times.push([look.ms, away.ms, away.moves, back.ms, back.moves]);
    }
    rows.push({ files, ignored, ms: times[0].map((_, column) => median(times.map((line) => line[column]))) });
  }
  print(retireReport(rows, runs));
  return 0;
}

/** What adds up the time that all renames of a program take. */
function writeClock(temp) {
  const [program, file] = [join(temp, 'clock.cjs'), join(temp, 'moves')];
  writeFileSync(
    program,
    `const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { renameSync, writeFileSync } = fs;
let sum = 0;
fs.renameSync = (...args) => {
  const before = performance.now();
  try {
    return renameSync(...args);
  } finally {
    sum += performance.now() - before;
  }
};
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(sum)));
`,
  );
  return { program, file };
}
