import type { Context } from '../context.ts';
import { readablePath } from '../render/document.ts';
import { demoDocument } from '../render/lists-document.ts';
import { DEMO_LEFTOVERS, demoRepository } from '../demo/leftovers.ts';
import { encodeText } from '../render/decode.ts';
import { jsonLine } from '../render/json.ts';
import { renderDemo } from '../render/lists.ts';
import type { CommonFlags } from './support/flags.ts';
import { sweep } from './sweep.ts';

/** `demo`: builds a throw-away repository and sweeps it. */
export async function demo(context: Context, flags: CommonFlags): Promise<number> {
  const directory = demoRepository(await context.makeDemo());
  const document = demoDocument(readablePath(encodeText(directory), context.home), DEMO_LEFTOVERS);
  if (flags.json) {
    context.stdout.write(jsonLine(document));
    return 0;
  }
  context.stdout.write(renderDemo(document, `coppice -C ${shellWord(directory)} sweep`));
  await sweep(context, {
    directory,
    json: false,
    exitZero: true,
    noFetch: false,
    offline: false,
    all: false,
    apply: false,
  });
  return 0;
}

function shellWord(word: string): string {
  return /^[\w./~+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
