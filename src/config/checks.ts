import { isAbsolute, join, normalize } from 'node:path';
import { parseRefName } from '../judge/facts/names.ts';
import { ok, type Parsed, wrong } from './parsed.ts';
import type { Place } from './row.ts';

/** Reads one text of a setting; the value may be a tidier spelling of it. */
export type TextCheck = (text: string, place: Place) => Parsed<string>;

const LONGEST = 4096;

/** Any text: not empty, one line, no control or invisible characters, no blanks around it. */
export function plainText(value: unknown): Parsed<string> {
  if (typeof value !== 'string') return wrong('write a text in quotes');
  if (value === '' || value !== value.trim())
    return wrong('write a text that is not empty and has no blanks around it');
  if (value.length > LONGEST) return wrong(`write at most ${LONGEST} characters`);
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(value) ? wrong('write it without control or invisible characters') : ok(value);
}

/** Text as git has it: one character a byte. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A short or full name of a ref. */
export function refText(text: string): Parsed<string> {
  const full = text.startsWith('refs/') ? text : `refs/heads/${text}`;
  const valid = !text.startsWith('-') && parseRefName(asBytes(full)) !== null;
  return valid ? ok(text) : wrong('write the name of a branch, such as "main" or "refs/remotes/origin/main"');
}

/** The name of a remote. */
export function remoteText(text: string): Parsed<string> {
  const valid = !text.startsWith('-') && parseRefName(asBytes(`refs/remotes/${text}/x`)) !== null;
  return valid ? ok(text) : wrong('write the name of a remote, such as "origin"');
}

/** A pattern of branches: a short name, `*` for any characters, `!` in front to take protection away. */
export function branchPattern(text: string): Parsed<string> {
  const pattern = text.startsWith('!') ? text.slice(1) : text;
  if (pattern.startsWith('refs/')) return wrong('write the branch without "refs/heads/"');
  const possible = parseRefName(asBytes(`refs/heads/${pattern.replaceAll('*', 'x')}`)) !== null;
  return possible ? ok(text) : wrong('no branch can have such a name; "*" is the only wildcard, such as "release/*"');
}

/** A host name, perhaps with a port; lower case. */
export function hostText(text: string): Parsed<string> {
  const valid = /^(?!-)[a-z0-9-]+(?<!-)(\.(?!-)[a-z0-9-]+(?<!-))*(:[1-9][0-9]{0,4})?$/i.test(text);
  return valid ? ok(text.toLowerCase()) : wrong('write a host name, such as "git.example.org"');
}

/** A folder or file by absolute path or below `~/`; a repository's file may also write one below its top folder. */
export function pathText(text: string, place: Place): Parsed<string> {
  if (text.split('/').includes('..')) return wrong('write the path without ".."');
  if (text === '~' || text.startsWith('~/')) {
    return place.home === null ? wrong('the home folder is not known here') : ok(tidy(join(place.home, text.slice(1))));
  }
  if (isAbsolute(text)) return ok(tidy(text));
  if (place.file === 'user' || place.top === null) return wrong('write an absolute path, or one that begins with "~/"');
  return text.startsWith('~') ? wrong('only "~/" stands for a home folder') : ok(tidy(join(place.top, text)));
}

function tidy(path: string): string {
  const plain = normalize(path);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

/** A relative path inside a repository. */
export function relativePath(text: string): Parsed<string> {
  const segments = text.split('/');
  const odd = segments.some((segment) => ['', '.', '..', '~'].includes(segment) || segment.toLowerCase() === '.git');
  return odd ? wrong('write a path inside the repository, such as "docs/inbox"') : ok(text);
}

/** A name, or a path from a worktree's top, of ignored content; `*` stands for any characters of one name. */
export function contentRule(text: string): Parsed<string> {
  const rule = text.endsWith('/') ? text.slice(0, -1) : text;
  const path = relativePath(rule);
  if (path.kind === 'wrong')
    return wrong('write a name or a path from the top of the worktree, such as "out" or "web/dist"');
  // A rule of wildcards only would call everything rebuildable, `.env` and notes too.
  return /[\p{L}\p{N}]/u.test(rule.split('/').at(-1) ?? '')
    ? ok(rule)
    : wrong('name what it is: this would match almost everything');
}

/** The file name of a workflow. */
export function workflowName(text: string): Parsed<string> {
  return /^[A-Za-z0-9_][\w.-]*\.ya?ml$/.test(text)
    ? ok(text)
    : wrong('write a file name such as "coppice-reservations.yml"');
}

/** The first part of branch names. */
export function namespaceText(text: string): Parsed<string> {
  const plain = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/.test(text);
  return plain && refText(text).kind === 'ok'
    ? ok(text)
    : wrong('write letters, digits, "-" and "_", such as "coppice-reserved"');
}

/** Who a person is: one word. */
export function holderText(text: string): Parsed<string> {
  return /^\S{1,100}$/u.test(text) ? ok(text) : wrong('write one word of at most 100 characters, such as a login');
}

/** The place of new worktrees: `{home}`, `{root}`, `{repository}` and, in its last part only, `{name}`. */
export function templateText(text: string): Parsed<string> {
  const parts = text.split('/');
  const names = [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]);
  const rest = text.replace(/\{[^{}]*\}/g, '');
  if (/[{}]/.test(rest) || names.some((name) => !['home', 'root', 'repository', 'name'].includes(name ?? ''))) {
    return wrong('only {home}, {root}, {repository} and {name} stand for something');
  }
  if (names.filter((name) => name === 'name').length !== 1 || !parts.at(-1)?.includes('{name}')) {
    return wrong('write {name} once, in the last part, such as "{home}/worktrees/{root}/{name}"');
  }
  if (!/^(\/|~\/|\{home\}\/|\{repository\})/.test(text) || parts.includes('..')) {
    return wrong('begin with {home}/, {repository}, ~/ or /, and write it without ".."');
  }
  return text.lastIndexOf('{home}') > 0 || text.lastIndexOf('{repository}') > 0
    ? wrong('{home} and {repository} can only stand first')
    : ok(text);
}
