/** A pack of its own for what a run puts aside, proven before anything goes. */
import { readFileSync } from 'node:fs';
import { packedObjects, reachedObjects, walkInput } from '../../git/read/objects.ts';
import { complaint, runGit } from '../../git/run.ts';
import { type Leave, runWrite } from '../../git/write.ts';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Oid } from '../../judge/facts/names.ts';
import type { TrashDraft } from '../../state/trash/store.ts';
import { syncFolder } from '../../system/files.ts';
import type { Acting } from '../acting.ts';

/** Milliseconds: git says nothing while it packs. */
const PATIENCE = 30 * 60_000;

interface PackRequest {
  readonly leave: Leave;
  readonly from: readonly Oid[];
  readonly not: readonly Oid[];
}

/** The name of the pack; null: there is nothing to pack. */
export async function packObjects(
  { git }: Pick<Acting, 'git'>,
  { path }: TrashDraft,
  { leave, from, not }: PackRequest,
): Promise<Fact<string | null>> {
  const wanted = await reachedObjects(git, from, not);
  if (wanted.kind !== 'known') return wanted.kind === 'absent' ? unknown('git lists no objects') : wanted;
  if (wanted.value.size === 0) return known(null);
  const args = ['pack-objects', '--revs', '--no-use-bitmap-index', '-q', `${path}/pack`];
  const packed = await runWrite(leave, git, args, {
    input: walkInput(from, not),
    silence: PATIENCE,
  });
  if (packed.code !== 0 || packed.cut !== null) return unknown(complaint(packed));
  const name = /^([0-9a-f]{40,64})\n$/.exec(packed.stdout.toString('latin1'))?.[1];
  if (name === undefined) return unknown('git does not tell which pack it wrote');
  const file = `${path}/pack-${name}`;
  const proof = await runGit(git, ['verify-pack', `${file}.idx`], { silence: PATIENCE });
  if (proof.code !== 0 || proof.cut !== null) return unknown(`the pack is damaged: ${complaint(proof)}`);
  const there = await packedObjects(git, readFileSync(`${file}.idx`));
  if (there.kind !== 'known') return there.kind === 'absent' ? unknown('the pack is empty') : there;
  for (const oid of wanted.value) if (!there.value.has(oid)) return unknown(`the pack lacks ${oid}`);
  syncFolder(path);
  return known(`pack-${name}`);
}
