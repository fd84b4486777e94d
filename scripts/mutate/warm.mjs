/**
 * Runs test files of one copy, again and again, for whom it was forked by: to start vitest anew for each mutant would
 * take longer than most tests. Each file runs in a process of its own, which reads which mutant is on.
 */
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', {
  root: process.cwd(),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
  cache: false,
});
await vitest.standalone();

process.on('message', (files) => void run(files));
process.on('disconnect', () => process.exit());
process.send('ready');

async function run(files) {
  const specifications = await vitest.globTestSpecifications(files);
  const wanted = new Set(specifications.map(({ moduleId }) => moduleId));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
  const modules = testModules.filter(({ moduleId }) => wanted.has(moduleId));
  const failed = modules.filter((module) => module.state() === 'failed');
  const errors = [...unhandledErrors, ...failed.flatMap(errorsOf)].map(({ message }) => message);
  const isRun =
    specifications.length === files.length && modules.every((module) => /^(passed|skipped)$/.test(module.state()));
  process.send({ passed: isRun && errors.length === 0, failed: failed[0]?.relativeModuleId ?? null, errors });
}

function errorsOf(module) {
  const tests = [...module.children.allTests('failed')];
  return [...module.errors(), ...tests.flatMap((test) => test.result().errors)];
}
