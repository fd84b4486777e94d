import type { Context } from '../context.ts';
import { listDocument, outlineDocument } from '../render/document.ts';
import { jsonLine } from '../render/json.ts';
import { renderList, renderSketch } from '../render/list.ts';
import { startRepaint } from '../render/repaint.ts';
import { createStyle } from '../render/style.ts';
import type { ListFlags } from './support/flags.ts';
import { survey } from './support/survey.ts';

/** `list`: the worktrees at a glance. On a terminal what git's list says comes at once, the rest as it is read. */
export async function list(context: Context, flags: ListFlags): Promise<number> {
  const options = { style: createStyle(context.stdout, context.env), output: context.stdout, now: context.now() };
  const paint = startRepaint(context.stdout, context.env);
  const read = () =>
    survey(context, { ...flags, noFetch: true, offline: true }, ['worktree'], {
      measure: true,
      ...(flags.json
        ? {}
        : {
            sketch: (outlines) =>
              paint.show(() =>
                renderSketch(
                  outlines().map((one) => outlineDocument(one, context.home)),
                  options,
                ),
              ),
          }),
    });
  const found = await read().finally(() => paint.end());
  const document = listDocument(found, context.home);
  context.stdout.write(flags.json ? jsonLine(document) : renderList(document, options));
  return 0;
}
