/**
 * Writes a source with all of its mutants in it, each behind a switch: `($m(7) ? null : (what stood there))`. So one
 * build serves all of them.
 */

/** @param mutants with their numbers `id`, none of whose ranges cross. */
export function withSwitches(text, mutants, switchModule) {
  const marks = mutants.flatMap(({ id, start, end, to }, order) => [
    { at: start, isStart: true, other: end, order, text: `($m(${id}) ? ${to} : (` },
    { at: end, isStart: false, other: start, order, text: '))' },
  ]);
  marks.sort(compareMarks);
  let written = '';
  let from = 0;
  for (const mark of marks) {
    written += text.slice(from, mark.at) + mark.text;
    from = mark.at;
  }
  return `import { $m } from ${JSON.stringify(switchModule)};\n${written}${text.slice(from)}`;
}

/** At one place what ends comes before what starts, and ranges lie within one another. */
function compareMarks(a, b) {
  if (a.at !== b.at) return a.at - b.at;
  if (a.isStart !== b.isStart) return a.isStart ? 1 : -1;
  if (a.other !== b.other) return b.other - a.other;
  return a.isStart ? a.order - b.order : b.order - a.order;
}

/**
 * The module that knows which mutant is on: the one whose number stands in the file `chosen`. With -1 none is, and each
 * that is met is written to the file `met`. Programs that tests start get no variable of ours, so these are files.
 */
export function switchSource(chosen, met) {
  return `import { appendFileSync, readFileSync } from 'node:fs';
const chosen = Number(readFileSync(${JSON.stringify(chosen)}, 'utf8'));
const seen = [];
export function $m(id) {
  if (chosen >= 0) return id === chosen;
  if (seen[id] === undefined) {
    seen[id] = true;
    try {
      appendFileSync(${JSON.stringify(met)}, \`\${id}\\n\`);
    } catch {}
  }
  return false;
}
`;
}
