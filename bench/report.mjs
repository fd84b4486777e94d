/** The figures as Markdown. */

const KINDS = ['squash', 'rebase', 'merge', 'ff', 'unmerged', 'partial', 'respaced', 'reverted', 'fresh'];
const LISTED = 10;

export function sizeReport({ title, results, truth }) {
  const base = resultOf(results, 'coppice')?.ms ?? null;
  const parts = [`## ${title}`, speedTable(results, base), kindTable(results, truth)];
  for (const { tool, quality, rows, error } of results) {
    if (error !== null) parts.push(`${tool.title} failed: ${error.message.trim()}`);
    if (!tool.isCoppice || quality === null) continue;
    parts.push(branchList(`**Falsely merged by ${tool.title}**`, quality.falselyMerged, rows, Infinity));
    if (tool.id !== 'coppice') continue;
    parts.push(branchList('Missed by coppice though content can prove it', quality.missedProvable, rows, LISTED));
  }
  for (const tool of disagreeing(results)) parts.push(`**${tool.title} judges otherwise than coppice, no cache.**`);
  return parts.filter((part) => part !== null).join('\n\n');
}

/** The ways to run coppice whose verdicts are not those of the plain one. All have to be the same. */
export function disagreeing(results) {
  const plain = resultOf(results, 'coppice')?.merged ?? null;
  const others = results.filter(({ tool, merged }) => tool.isCoppice && merged !== null && plain !== null);
  return others
    .filter(({ merged }) => merged.size !== plain.size || [...merged].some((name) => !plain.has(name)))
    .map(({ tool }) => tool);
}

function speedTable(results, base) {
  const head = [
    'tool',
    'wall ms',
    'runs',
    '× coppice',
    'found',
    'missed',
    'unprovable',
    'falsely merged',
    'git processes',
    'peak MB',
  ];
  const body = results.map(({ tool, ms, runs, processes, peakKb, quality }) => [
    tool.title,
    number(ms),
    runs,
    base === null ? '-' : ratio(ms, base),
    quality === null ? '-' : `${quality.found} of ${quality.merged}`,
    quality?.missedProvable.length ?? '-',
    quality?.missedOther.length ?? '-',
    quality?.falselyMerged.length ?? '-',
    processes ?? '-',
    megabytes(peakKb),
  ]);
  return table(head, body);
}

function kindTable(results, truth) {
  const judged = results.filter(({ quality }) => quality !== null);
  const kinds = KINDS.filter((kind) => truth.some((branch) => branch.kind === kind));
  if (judged.length === 0) return null;
  const count = (kind) => truth.filter((branch) => branch.kind === kind).length;
  const head = ['called merged', ...kinds.map((kind) => `${kind} (${count(kind)})`)];
  return table(
    head,
    judged.map(({ tool, quality }) => [tool.title, ...kinds.map((kind) => quality.kinds.get(kind).taken)]),
  );
}

function branchList(title, branches, rows, most) {
  if (branches.length === 0) return null;
  const lines = branches.slice(0, most).map(({ name, kind, last }) => {
    const reason = rows?.get(name)?.reason;
    const landed = last === null ? '' : `, landed as ${last.slice(0, 10)}`;
    return `- \`${name}\` (${kind}${landed}): ${reason === undefined ? 'no row' : `${reason.code}, ${reason.text}`}`;
  });
  const more = branches.length > most ? [`- and ${branches.length - most} more`] : [];
  return [`${title} (${branches.length}):`, '', ...lines, ...more].join('\n');
}

/** `sizes`: `{ branches, commits, results }`, the smallest first. */
export function growthReport(sizes) {
  const found = sizes.map((size) => ({ ...size, coppice: resultOf(size.results, 'coppice') }));
  const measured = found.filter(({ coppice }) => coppice !== undefined && coppice.ms !== null);
  if (measured.length < 2) return null;
  const first = measured[0];
  const head = [
    'branches',
    'commits on main',
    'size ×',
    'coppice ms',
    'time ×',
    'cached ms',
    'git processes',
    'peak MB',
    'proven',
  ];
  const body = measured.map(({ branches, commits, results, coppice }) => [
    branches,
    commits,
    ratio(branches + commits, first.branches + first.commits),
    number(coppice.ms),
    ratio(coppice.ms, first.coppice.ms),
    number(resultOf(results, 'coppice-cached')?.ms ?? null),
    coppice.processes ?? '-',
    megabytes(coppice.peakKb),
    share(coppice.quality),
  ]);
  return `## Growth\n\n${table(head, body)}\n\nsize: branches and commits on main together; proven: of the merged branches that content can prove.`;
}

function share(quality) {
  if (quality === null || quality.provable === 0) return '-';
  const proven = quality.provable - quality.missedProvable.length;
  return `${proven} of ${quality.provable} (${((100 * proven) / quality.provable).toFixed(1)} %)`;
}

export function startReport({ first, second, ratio: factor }) {
  const rows = [
    ['`node -e 0`', number(first), '1.00'],
    ['`coppice --version`', number(second), factor.toFixed(2)],
  ];
  return `## Start-up\n\n${table(['command', 'wall ms', '×'], rows)}\n\nMedians of pairs, each command first in half of them.`;
}

/** What the figures should be, and whether they are: said, and never a failure, except for a branch falsely merged. */
export function goalReport({ sizes, start }) {
  const goals = [];
  const add = (goal, value, isMet) => goals.push([goal, value, isMet ? 'yes' : '**no**']);
  for (const { label, branches, results } of sizes) {
    const plain = resultOf(results, 'coppice');
    if (plain?.quality == null) continue;
    const { falselyMerged, missedProvable } = plain.quality;
    add(`${label}: none falsely merged`, falselyMerged.length, falselyMerged.length === 0);
    add(`${label}: none missed that content can prove`, missedProvable.length, missedProvable.length === 0);
    if (plain.processes !== null) add(`${label}: at most 12 git processes`, plain.processes, plain.processes <= 12);
    const peer = resultOf(results, 'dmb3')?.ms ?? null;
    // Start-up weighs too much below.
    if (peer !== null && branches >= 1000) {
      const factor = peer / plain.ms;
      add(`${label}: 50 times as quick as git-delete-merged-branches at effort 3`, factor.toFixed(1), factor >= 50);
    }
    const [node, refs, cached] = ['node', 'refs', 'coppice-cached'].map((id) => resultOf(results, id)?.ms ?? null);
    if (node !== null && refs !== null && cached !== null) {
      const factor = cached / (node + refs);
      add(`${label}: cached within twice \`git for-each-ref\` plus start-up`, factor.toFixed(2), factor <= 2);
    }
  }
  if (start !== null) add('`--version` within 1.5 times `node -e 0`', start.ratio.toFixed(2), start.ratio <= 1.5);
  return goals.length === 0 ? null : `## Goals\n\n${table(['goal', 'measured', 'met'], goals)}`;
}

export function resultOf(results, id) {
  return results.find(({ tool }) => tool.id === id);
}

export function table(head, body) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...body.map(line)].join('\n');
}

function ratio(value, base) {
  return value === null ? '-' : number(value / base);
}

/** Nothing was seen of a program that ended between two samples. */
function megabytes(kb) {
  return kb === null || kb === 0 ? '-' : Math.round(kb / 1024);
}

export function number(value) {
  if (value === null) return '-';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value < 10 ? 2 : 1);
}
