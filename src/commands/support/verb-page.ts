import type { FlagLine, VerbPage } from '../../render/help.ts';
import type { Verb } from './verb.ts';

type Parameters = Verb['command']['parameters'];
type Flag = NonNullable<Parameters['flags']>[string];

/** What the help of a verb shows, from the command table. */
export function verbPage(verb: Verb): VerbPage {
  const { flags = {}, aliases = {} } = verb.command.parameters;
  return {
    name: verb.name,
    brief: verb.command.brief,
    operands: operandsOf(verb.command.parameters),
    flags: Object.entries(flags)
      .filter(([, flag]) => flag.hidden !== true)
      .map(([name, flag]) => flagLine(shownFlag(name, aliases), flag)),
    about: verb.about,
    examples: verb.examples,
  };
}

/** All flags of a verb as they are typed, for "did you mean". */
export function flagNames(verb: Verb): string[] {
  const { flags = {}, aliases = {} } = verb.command.parameters;
  return [...Object.keys(flags).map((name) => shownFlag(name, aliases)), '--help'];
}

function operandsOf({ positional }: Parameters): string {
  if (positional === undefined) return '';
  const parameters = positional.kind === 'tuple' ? positional.parameters : [positional.parameter];
  return parameters.map(({ placeholder = 'ARG', optional }) => (optional ? `[${placeholder}]` : placeholder)).join(' ');
}

function flagLine(name: string, flag: Flag): FlagLine {
  const repeats = 'variadic' in flag && flag.variadic === ',' ? ',…' : '';
  const value = flag.kind === 'boolean' ? '' : ` ${flag.placeholder ?? 'VALUE'}${repeats}`;
  const choices = flag.kind === 'enum' ? ` (${flag.values.join(', ')})` : '';
  return { flag: `${name}${value}`, brief: `${flag.brief}${choices}` };
}

function shownFlag(name: string, aliases: Readonly<Record<string, string | undefined>>): string {
  const letter = Object.keys(aliases).find((alias) => aliases[alias] === name);
  return letter === undefined ? `--${kebab(name)}` : `-${letter}`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
