/** The end of a round: what was cut off is ended, all is forgotten that git may forget, and everything comes back. */
import type { HistoryDocument } from '../../src/contract/history.ts';
import { join } from 'node:path';
import { coppice } from './coppice.ts';
import type { Ground } from './ground.ts';
import type { Ledger } from './ledger.ts';
import { forgetAll } from './people.ts';
import { endGuests } from './people-desks.ts';

type Act = HistoryDocument['acts'][number];

const NOTHING = { mayDelete: false, mayRestore: false, isCut: false, isWronged: false, settles: true, as: [] };

export async function atTheEnd(ground: Ground, ledger: Ledger): Promise<void> {
  await ledger.beforeCoppice();
  await ask(ground, 'purge', '--apply');
  await ledger.byCoppice(NOTHING);
  const acts = await history(ground);
  const cut = acts.filter(({ end }) => end === 'unfinished');
  if (cut.length > 0) throw new Error(`not ended: ${JSON.stringify(cut)}`);
  const open = acts.filter(({ undo }) => undo.state === 'open');
  endGuests(ground);
  expectOnRecord(
    ledger,
    open.filter(({ subject }) => !subject.startsWith('/')),
  );
  expectDesksOnRecord(
    ledger,
    open.filter(({ subject }) => subject.startsWith('/')),
  );

  await forgetAll(ground);
  await ledger.byUser();
  for (const run of new Set(open.map(({ run }) => run as string))) await undoRun(ground, ledger, run, open);
  const away = ledger.desks.gone();
  if (away.length > 0) throw new Error(`did not come back: ${away.map(({ desk }) => desk.folder).join(' ')}`);
  const left = ledger.taken.filter(({ state }) => state === 'gone');
  if (left.length > 0) throw new Error(`did not come back: ${left.map(({ name }) => name).join(' ')}`);
}

/** What was taken away can be undone, each of it, unless the trash was emptied. */
function expectOnRecord({ taken, passing }: Ledger, open: readonly Act[]): void {
  // What went under another name in the end is one less under its own.
  let elsewhere = open.filter(({ subject }) => passing.has(subject)).length;
  const names = new Set([...taken.map(({ name }) => name), ...open.map(({ subject }) => subject)]);
  for (const name of names) {
    const own = taken.filter((one) => one.name === name);
    const least = own.filter(({ state }) => state === 'gone').length;
    const most = least + own.filter(({ state }) => state === 'purged' || state === 'unsure').length;
    const count = open.filter(({ subject }) => subject === name).length;
    if (passing.has(name)) continue;
    const isElsewhere = count < least && least - count <= elsewhere;
    if (isElsewhere) elsewhere -= least - count;
    else if (count < least || count > most)
      throw new Error(`${name} can be undone ${count} times, and is gone ${least} to ${most} times`);
  }
}

/** The same of worktrees, by their places. */
function expectDesksOnRecord({ desks }: Ledger, open: readonly Act[]): void {
  for (const { desk } of desks.gone())
    if (!open.some(({ subject }) => subject === desk.folder)) throw new Error(`${desk.folder} cannot be undone`);
}

/** Whatever is in its way, with another place and no branch it comes back. */
async function undoDesk(ground: Ground, ledger: Ledger, id: string, why: string): Promise<void> {
  const to = join(ground.root, `back-${ground.next()}`);
  ground.desks.push(to);
  await ledger.beforeCoppice();
  const again = await ask(ground, 'undo', id, '--to', to, '--detach');
  if (again.code !== 0) throw new Error(`${id} does not come back: ${JSON.stringify(again.json)}, after ${why}`);
  await ledger.byCoppice({ ...NOTHING, mayRestore: true });
}

/** What may keep one from coming back as it was. */
const REASONS = /something is at|was moved since|in use in another worktree|is there already|cannot be made/;

async function undoRun(ground: Ground, ledger: Ledger, run: string, open: readonly Act[]): Promise<void> {
  await ledger.beforeCoppice();
  const { code, json } = await ask(ground, 'undo', run);
  await ledger.byCoppice({ ...NOTHING, mayRestore: true, settles: json?.schema === 'coppice.undo.v1' });
  const own = open.filter((act) => act.run === run);
  const names = new Set(await ground.branches());
  const refused =
    json?.schema === 'coppice.undo.v1' ? json.rows.filter(({ outcome }) => outcome.status !== 'done') : own;
  for (const { id } of refused) {
    const act = own.find((one) => one.id === id);
    // A purge took this one of the run.
    if (act === undefined) continue;
    const name = act.subject;
    const why = JSON.stringify(json);
    if (name.startsWith('/')) {
      // Its owner deleted it while it was half at home, or a purge was cut off.
      if (!ledger.desks.gone().some(({ desk }) => desk.folder === name)) continue;
      if (!REASONS.test(why)) throw new Error(`${name} is refused for no reason: exit ${code}, ${why}`);
      await undoDesk(ground, ledger, id, why);
      continue;
    }
    const isInTheWay = (other: string) => `${other}/`.startsWith(`${name}/`) || `${name}/`.startsWith(`${other}/`);
    if (![...names, ...ledger.inUse()].some(isInTheWay) && !ledger.hasOtherSettings(name))
      throw new Error(`${name} is refused for no reason: exit ${code}, ${why}`);
    const row = json?.schema === 'coppice.undo.v1' ? json.rows.find((one) => one.id === id) : undefined;
    // It is back but for its settings, which somebody has set anew.
    const isBack = row?.outcome.status === 'failed' && !row.outcome.text.startsWith('not back');
    if (isBack) continue;
    const as = `back/${ground.next()}`;
    await ledger.beforeCoppice();
    const again = await ask(ground, 'undo', id, '--as', as);
    if (again.code !== 0) throw new Error(`${name} does not come back as ${as}: ${JSON.stringify(again.json)}`);
    await ledger.byCoppice({ ...NOTHING, mayRestore: true, as: [as] });
  }
}

async function ask(ground: Ground, ...words: readonly string[]) {
  const told = await coppice(ground, words, ground.r.env);
  ground.log.push(`coppice ${words.join(' ')} -> ${told.code}: ${JSON.stringify(told.json).slice(0, 600)}`);
  return told;
}

async function history(ground: Ground): Promise<readonly Act[]> {
  const { json } = await coppice(ground, ['history', '--limit', '1000'], ground.r.env);
  if (json?.schema !== 'coppice.history.v1') throw new Error(`no history: ${JSON.stringify(json)}`);
  return json.acts;
}
