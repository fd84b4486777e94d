import { buildApplication, buildRouteMap, run as runParser, text_en, type Application } from '@stricli/core';
import type { Context } from '../../context.ts';
import { parseCall, wantsJson, type Call } from './argv.ts';
import { parserError, unknownVerb, usageError } from './usage-error.ts';
import { flagNames } from './verb-page.ts';
import type { Verb, VerbContext } from './verb.ts';

/** Runs one call and gives its exit code. Everything that is thrown ends here. */
export async function dispatch(verbs: readonly Verb[], context: Context, argv: readonly string[]): Promise<number> {
  let call: Call | null = null;
  try {
    call = parseCall(argv);
    return await runCall(verbs, context, call, argv);
  } catch (error) {
    const { reportError } = await import('../report-error.ts');
    const verb = verbs.find(({ name }) => name === call?.verb)?.name ?? null;
    return reportError(context, { verb, json: wantsJson(argv), error });
  }
}

/** The parser's view of the table; completion is computed from it too. */
export function buildApp(verbs: readonly Verb[]): Application<VerbContext> {
  // Objects without a prototype: the parser looks words up by index, and "constructor" is no verb.
  const routes = withoutPrototype(verbs.map(({ name, command }) => [name, command] as const));
  return buildApplication<VerbContext>(
    buildRouteMap({ routes, aliases: withoutPrototype<string>([]), docs: { brief: 'coppice' } }),
    {
      name: 'coppice',
      scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
      localization: { text: throwingText(verbs) },
    },
    {}, // help and version are answered before the parser is asked
  );
}

async function runCall(verbs: readonly Verb[], context: Context, call: Call, argv: readonly string[]): Promise<number> {
  if (call.wantsVersion) {
    context.stdout.write(`${context.version}\n`);
    return 0;
  }
  if (argv.length === 0 || call.wantsHelp) {
    const { help } = await import('../help.ts');
    return help(context, verbs, { json: wantsJson(argv) }, call.verb ?? undefined);
  }
  if (call.verb === null) throw usageError('missing-verb', 'a verb is missing', 'coppice help lists the verbs');
  const verb = verbs.find(({ name }) => name === call.verb);
  if (verb === undefined) throw unknownVerb(call.verb, namesOf(verbs));

  // null, not 0: the parser only sets an exit code where there is none.
  const process = { stdout: context.stdout, stderr: context.stderr, exitCode: null as number | null };
  try {
    await runParser(buildApp(verbs), [verb.name, ...call.inputs], { process, coppice: context });
  } catch (error) {
    throw parserError(error, verb.name, flagNames(verb));
  }
  if (process.exitCode === null || process.exitCode < 0)
    throw new Error(`the argument parser gave ${process.exitCode}`);
  return process.exitCode;
}

/**
 * The parser prints each error through one of these functions. They throw instead, so that every error ends in one
 * place, as text or as one JSON document.
 */
function throwingText(verbs: readonly Verb[]) {
  const rethrow = (error: unknown): never => {
    throw error;
  };
  return {
    ...text_en,
    exceptionWhileParsingArguments: rethrow,
    exceptionWhileLoadingCommandFunction: rethrow,
    exceptionWhileLoadingCommandContext: rethrow,
    exceptionWhileRunningCommand: rethrow,
    commandErrorResult: rethrow,
    noCommandRegisteredForInput: ({ input }: { input: string }): never => {
      throw unknownVerb(input, namesOf(verbs));
    },
  };
}

function namesOf(verbs: readonly Verb[]): string[] {
  return verbs.map(({ name }) => name);
}

function withoutPrototype<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, Value>;
}
