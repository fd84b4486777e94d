/**
 * Finds what can be taken out of a source of src/judge, by its syntax tree, so that a new hold is covered by being there.
 * A mutant is a range of the text and what stands in its place: a hold that is not asked, a guard that never fires.
 */
import { parseSync } from 'vite';

/** Properties of verdicts that keep a row. */
const KEEPING = { veto: 'null', blind: 'false', unknown: 'false' };
/** Calls that ask about each member, and what an answer is that leaves nothing out. */
const MEMBERS = { filter: '() => true', every: '() => true', some: '() => false' };

/** The syntax tree of a source; the types of the language are in it, too. */
export function parse(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return program;
}

/** Names of the functions that may keep a row: those of a type `...Hold`, and those that call `holds`. */
export function holdNames(program) {
  const names = [];
  walk(program, [], (node) => {
    const { type, id, init } = node;
    if (type === 'VariableDeclarator' && typeName(id.typeAnnotation).endsWith('Hold')) names.push(id.name);
    else if (type === 'VariableDeclarator' && init?.type === 'ArrowFunctionExpression' && callsHolds(init))
      names.push(id.name);
    else if (type === 'FunctionDeclaration' && id.name !== 'holds' && callsHolds(node)) names.push(id.name);
  });
  return names;
}

/**
 * The mutants of one source: `start`, `end`, `to`, `what` was taken out, and its `kind`: `hold` for holds, vetoes and
 * doubts, `guard` for other choices, `operand` for parts of conditions.
 */
export function mutantsOf(program, text, names) {
  const found = [];
  const take = (kind, node, to, what) => found.push({ kind, start: node.start, end: node.end, to, what });
  const textOf = (node) => text.slice(node.start, node.end).replace(/\s+/g, ' ');
  walk(program, [], (node, above) => {
    const parent = above.at(-1);
    const isWords = above.some((one, at) => makesWords(one, above[at + 1] ?? node));
    if (node.type === 'VariableDeclarator' && isTable(node)) {
      for (const hold of node.init.elements) {
        const [one, none] = hold.type === 'SpreadElement' ? [hold.argument, '[]'] : [hold, '(() => null)'];
        take('hold', one, none, `${node.id.name} without ${textOf(hold)}`);
      }
    } else if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
      const { name } = node.callee;
      const none = parent.type === 'SpreadElement' ? '[]' : 'null';
      if (name === 'holds') take('hold', node, none, `holds(${textOf(node.arguments[0])}) is nothing`);
      else if (names.has(name)) take('hold', node, none, `${textOf(node)} is not asked`);
    } else if (node.type === 'CallExpression' && MEMBERS[node.callee.property?.name] && !isWords) {
      take('operand', node.arguments[0], `(${MEMBERS[node.callee.property.name]})`, `${textOf(node)} asks nothing`);
    } else if (node.type === 'IfStatement' && !isWords) {
      take(isVeto(node) ? 'hold' : 'guard', node.test, 'false', `if (${textOf(node.test)}) never`);
      take('operand', node.test, 'true', `if (${textOf(node.test)}) always`);
    } else if (node.type === 'ConditionalExpression' && !isWords && !givesWords(node)) {
      take('guard', node.test, 'false', `${textOf(node.test)} ? never`);
      take('guard', node.test, 'true', `${textOf(node.test)} ? always`);
    } else if (node.type === 'Property' && KEEPING[node.key.name] && !isNothing(node.value) && !isPattern(above)) {
      if (!node.shorthand) take('hold', node.value, KEEPING[node.key.name], `${textOf(node)} is not told`);
    } else if (node.type === 'LogicalExpression' && node.operator !== '??' && !isWords) {
      const idle = node.operator === '&&' ? 'true' : 'false';
      for (const side of [node.left, node.right])
        take('operand', side, idle, `${textOf(node)} without ${textOf(side)}`);
    } else if (node.type === 'AssignmentExpression' && node.operator === '||=') {
      take('operand', node.right, 'false', `${textOf(node)} never`);
    }
  });
  return found;
}

/** True when what it guards only leaves: with nothing, or with an answer that keeps a row. */
function isVeto({ consequent, alternate }) {
  const [last] = consequent.type === 'BlockStatement' ? consequent.body.slice(-1) : [consequent];
  return alternate === null && /^(Return|Continue|Break|Throw)Statement$/.test(last?.type);
}

/** A list of holds that are all asked. */
function isTable({ id, init }) {
  return init?.type === 'ArrayExpression' && typeText(id.typeAnnotation).endsWith('Hold[]');
}

function callsHolds(node) {
  let found = false;
  walk(node, [], (one) => {
    if (one.type === 'CallExpression' && one.callee.name === 'holds') found = true;
  });
  return found;
}

/** True where `node` is only there to tell people something: a text, or the words and the command of a finding. */
function makesWords(node, child) {
  if (node.type === 'TemplateLiteral') return true;
  if (/Function/.test(node.type)) return typeText(node.returnType) === 'string';
  const isFinding = node.type === 'CallExpression' && ['holds', 'noted', 'spent'].includes(node.callee.name);
  return isFinding && node.arguments.includes(child);
}

/** True for a choice between texts for people; the words of verdicts are of small letters and dashes. */
function givesWords({ consequent, alternate }) {
  return [consequent, alternate].some(
    (one) =>
      one.type === 'TemplateLiteral' ||
      (one.type === 'Literal' && typeof one.value === 'string' && !/^[a-z]+(-[a-z]+)*$/.test(one.value)) ||
      (one.type === 'ConditionalExpression' && givesWords(one)),
  );
}

function isNothing(value) {
  return value.type === 'Literal' && !value.value;
}

function isPattern(above) {
  return above.at(-1).type === 'ObjectPattern';
}

function typeName(annotation) {
  return annotation?.typeAnnotation.typeName?.name ?? '';
}

/** `string`, `BranchHold[]`, or nothing where it is something else. */
function typeText(annotation) {
  let type = annotation?.typeAnnotation;
  if (type?.type === 'TSTypeOperator') type = type.typeAnnotation;
  if (type?.type === 'TSStringKeyword') return 'string';
  return type?.type === 'TSArrayType' ? `${type.elementType.typeName?.name ?? ''}[]` : '';
}

/** Visits every node but those of types, with all that lie around it, outermost first. */
function walk(node, above, visit) {
  visit(node, above);
  const inner = [...above, node];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters' || key === 'typeArguments')
      continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string' && !/^TS(Interface|TypeAlias|Declare)/.test(child.type))
        walk(child, inner, visit);
  }
}
