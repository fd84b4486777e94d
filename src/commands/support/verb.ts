import type { Command, StricliProcess } from '@stricli/core';
import type { Context } from '../../context.ts';

/** What the argument parser hands to a verb: the streams it insists on, and coppice's own context. */
export interface VerbContext {
  readonly process: StricliProcess;
  readonly coppice: Context;
}

/** One entry of the command table. */
export interface Verb {
  readonly name: string;
  readonly command: Command<VerbContext>;
  /** Paragraphs of its help page. */
  readonly about: readonly string[];
  readonly examples: readonly Example[];
}

export interface Example {
  readonly command: string;
  readonly what: string;
}

/** A verb as it is written in `src/commands`: context and arguments in, exit code out. */
export type VerbFunction<Flags, Args extends readonly unknown[]> = (
  context: Context,
  flags: Flags,
  ...args: Args
) => Promise<number>;

/** Makes the parser load a verb's code only when it runs. */
export function lazily<Flags, Args extends readonly unknown[]>(load: () => Promise<VerbFunction<Flags, Args>>) {
  return async () => {
    const verb = await load();
    return async function (this: VerbContext, flags: Flags, ...args: Args): Promise<void> {
      this.process.exitCode = await verb(this.coppice, flags, ...args);
    };
  };
}
