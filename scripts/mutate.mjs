/**
 * `npm run mutate -- [options]`: does a test fail when one hold, one veto or one guard of src/judge is taken out?
 *
 *   --list           only says what would be taken out
 *   --only PATTERN   only what the pattern (a regular expression) finds in `file:line what`
 *   --guards         also every other `if` and `? :`, not only holds, vetoes and doubts
 *   --fine           also single operands of conditions
 *   --quick          only the tests in test/judge; says what they do not notice
 *   --workers N      so many at a time (2)
 *
 * The list is made from the syntax trees of the sources, so it holds what is there and nothing is added to it by hand.
 * All mutants are built once, each behind a switch, in copies of the project in a temporary folder, which goes at the
 * end. Of the tests those run that meet the mutant when it is off, up to the first that fails: what noticed it last
 * time, test/judge, and the others, the quickest first. What mutates into an endless loop is noticed by the clock.
 *
 * Ends with 1 when a mutant survives, and with 2 when tests fail without any.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled, fail, root } from './ensure.mjs';
import { quickFolder } from './quick-folder.mjs';

const { values: options } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    guards: { type: 'boolean', default: false },
    fine: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
  },
});

await ensureInstalled();
// Not static imports: on a fresh clone the packages are not there before.
const { holdNames, mutantsOf, parse } = await import('./mutate/find.mjs');
const { Copy } = await import('./mutate/copy.mjs');
const { alike } = await import('./mutate/alike.mjs');
const { filesBelow, Memory } = await import('./mutate/memory.mjs');
const { Hunt } = await import('./mutate/hunt.mjs');
const { stopAll } = await import('./mutate/run.mjs');

const sources = findMutants();
const there = new Set(sources.flatMap(({ mutants }) => mutants.map(({ name }) => name)));
for (const name of alike) if (!there.has(name)) fail(`scripts/mutate/alike.mjs names what is not there: ${name}`);
const wanted = sources.flatMap(({ mutants }) => mutants).filter(isWanted);
if (options.list) {
  for (const mutant of wanted) say(`${mutant.place} ${mutant.what}`);
  say(`${wanted.length} mutants`);
} else if (wanted.length === 0) fail('nothing matches');
else await hunt();

async function hunt() {
  const folder = mkdtempSync(join(quickFolder(), 'coppice-mutate-'));
  // Some tests run the program as another account.
  chmodSync(folder, 0o755);
  const clean = () => {
    stopAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      clean();
      process.exit(130);
    });
  process.once('exit', clean);
  const copies = [];
  for (let at = 0; at < Number(options.workers); at++)
    copies.push(await Copy.make(join(folder, `${at}`), sources, folder));
  const started = Date.now();
  const all = sources.flatMap(({ mutants }) => mutants);
  const { survivors, failing } = await new Hunt({ copies, memory: new Memory(), say, all }).run(wanted, options.quick);
  clean();
  say('');
  for (const { place, what } of survivors) say(`survived  ${place} ${what}`);
  for (const file of failing) say(`fails without any mutant, and was left out: ${file}`);
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  say(`${wanted.length} mutants, ${survivors.length} survived, ${minutes} minutes`);
  process.exitCode = failing.length > 0 ? 2 : survivors.length > 0 ? 1 : 0;
}

/** Every mutant of src/judge, numbered, with a name that stays when lines move. */
function findMutants() {
  const files = filesBelow('src/judge').map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return { file, text, program: parse(file, text) };
  });
  const names = new Set(files.flatMap(({ program }) => holdNames(program)));
  const seen = new Map();
  let id = 0;
  return files.map(({ file, text, program }) => ({
    file,
    text,
    mutants: mutantsOf(program, text, names).map((mutant) => {
      const base = `${file}: ${mutant.what}`;
      const times = (seen.get(base) ?? 0) + 1;
      seen.set(base, times);
      const line = text.slice(0, mutant.start).split('\n').length;
      return { ...mutant, id: id++, file, place: `${file}:${line}`, name: times === 1 ? base : `${base} (${times})` };
    }),
  }));
}

function isWanted({ kind, place, what, name }) {
  if (kind === 'guard' && !options.guards && !options.fine) return false;
  if (kind === 'operand' && !options.fine) return false;
  return new RegExp(options.only).test(`${place} ${what}`) && !alike.has(name);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
