/**
 * The oracle: what must stand, what coppice took away, and what of it must be there still. It knows nothing of how
 * coppice works; it compares what stood before with what stands now.
 */
import { DeskLedger } from './desk-ledger.ts';
import type { Ground } from './ground.ts';
import { held, heldByUser, leftovers, type Seen, see, type Standing } from './look.ts';

/** A branch that coppice took away. */
export interface Taken {
  readonly name: string;
  readonly was: Standing;
  /** What its tip and its reflog reached. */
  readonly commits: ReadonlySet<string>;
  /** False: somebody changed it while something was cut off, so that its reflog and settings are not known for sure. */
  readonly isExact: boolean;
  /** `purged`: the trash was emptied since, or may have been. `unsure`: it is back, or somebody made it anew. */
  state: 'gone' | 'purged' | 'back' | 'unsure';
  /** The name under which it is back; null: it is not. */
  as: string | null;
}

/** What coppice was asked for, and whether it was let do so. */
export interface Asked {
  readonly mayDelete: boolean;
  readonly mayRestore: boolean;
  readonly mayPurge?: boolean;
  /** It was killed, or git did wrong. */
  readonly isCut: boolean;
  /** git did wrong: then settings may stay, which is said. */
  readonly isWronged: boolean;
  /** It ended what was cut off before, if anything was. */
  readonly settles: boolean;
  /** Other names for what comes back. */
  readonly as: readonly string[];
}

export class Ledger {
  readonly taken: Taken[] = [];
  readonly desks: DeskLedger;
  /** Names under which something may have come back and gone again before anybody looked. */
  readonly passing = new Set<string>();
  /** Something was cut off, and nobody has ended it yet. */
  isCut = false;
  /** That was to delete something. */
  private isDeletionCut = false;
  private readonly ground: Ground;
  private expected = new Map<string, Standing>();
  private mayStay = false;
  private loose = new Set<string>();
  private orphans = new Set<string>();
  private seen: Seen | null = null;
  private commits = new Set<string>();

  constructor(ground: Ground) {
    this.ground = ground;
    this.desks = new DeskLedger(ground);
  }

  /** The state of things before coppice does anything. */
  async begin(): Promise<void> {
    this.seen = await see(this.ground);
    this.expected = new Map(this.seen.branches);
    this.orphans = new Set(this.seen.orphans.keys());
    this.desks.begin();
  }

  private get before(): Seen {
    if (this.seen === null) throw new Error('nothing was looked at yet');
    return this.seen;
  }

  /** A person did something: that stands from now on. */
  async byUser(isHalted = false): Promise<void> {
    const { before, ground } = this;
    this.desks.byUser(this.isCut || isHalted);
    const now = await see(ground);
    for (const name of new Set([...before.branches.keys(), ...now.branches.keys()])) {
      ground.names.add(name);
      const [was, is] = [before.branches.get(name), now.branches.get(name)];
      if (same(was, is)) continue;
      if (is === undefined) this.expected.delete(name);
      else this.expected.set(name, is);
      // What coppice is about to do with it may go by what it was, and may not know what is its own.
      if (this.isCut || isHalted) {
        this.loose.add(name);
        this.unsettle(name, is === undefined ? was : undefined);
      } else this.loose.delete(name);
    }
    for (const name of new Set([...before.orphans.keys(), ...now.orphans.keys()])) {
      if (before.orphans.get(name) === now.orphans.get(name)) continue;
      this.loose.add(name);
      if (now.orphans.has(name)) this.orphans.add(name);
    }
    this.seen = now;
  }

  /**
   * Of what was cut off and is not ended: what came back may still be on record as gone, and what was to go and is gone
   * otherwise as well.
   */
  private unsettle(name: string, was: Standing | undefined): void {
    for (const one of this.taken)
      if (one.state === 'back' && (one.name === name || one.as === name)) one.state = 'unsure';
    if (was !== undefined && this.isDeletionCut)
      this.taken.push({ name, was, commits: new Set(), isExact: false, state: 'unsure', as: null });
  }

  /** To be called directly before coppice may do something. */
  async beforeCoppice(): Promise<void> {
    this.commits = await heldByUser(this.ground);
    await this.desks.beforeCoppice();
  }

  /** What coppice did is right, or this throws. */
  async byCoppice(asked: Asked): Promise<void> {
    const { before, ground } = this;
    this.desks.byCoppice(asked, this.isCut, asked.isCut ? false : asked.settles || !this.isCut);
    const now = await see(ground);
    for (const [what, was] of before.rest) {
      if (now.rest.get(what) !== was) throw new Error(`changed: ${what}: ${was} -> ${now.rest.get(what)}`);
    }
    for (const [what] of now.rest) if (!before.rest.has(what)) throw new Error(`new: ${what}`);
    for (const name of before.branches.keys()) {
      if (!now.branches.has(name)) await this.vanished(name, asked, now);
    }
    for (const [name, is] of now.branches) {
      const was = before.branches.get(name);
      if (was === undefined) this.returned(name, is, asked);
      else if (was.tip !== is.tip) throw new Error(`${name} was moved from ${was.tip} to ${is.tip}`);
      else if (asked.mayRestore) this.completed(name, was, is);
    }
    for (const name of asked.as)
      if (asked.mayDelete && !before.branches.has(name) && !now.branches.has(name)) this.passing.add(name);
    this.seen = now;
    this.mayStay ||= asked.isWronged;
    await this.expectCommits();
    if (asked.isCut) {
      this.isCut = true;
      this.isDeletionCut ||= asked.mayDelete;
    } else if (asked.settles) this.settled(now);
  }

  private async vanished(name: string, { mayDelete }: Asked, now: Seen): Promise<void> {
    const { before, ground } = this;
    const was = this.expected.get(name) ?? (before.branches.get(name) as Standing);
    if (!mayDelete) throw new Error(`${name} went, and nothing was to go`);
    if (!(await this.isSpent(was))) throw new Error(`${name} went, and it was not spent: ${was.tip}`);
    if (this.isCut) this.unsettle(name, was);
    if (now.used.has(name)) throw new Error(`${name} went, and a worktree uses it`);
    const ids = [was.tip, ...(was.reflog ?? '').split('\n').flatMap((line) => line.split(' ').slice(0, 2))];
    const text = await ground.answer(
      'rev-list',
      '--ignore-missing',
      ...ids.filter((id) => /^[0-9a-f]{40,}$/.test(id) && !/^0+$/.test(id)),
    );
    const commits = new Set(text.split('\n').filter((line) => this.commits.has(line)));
    this.taken.push({ name, was, commits, isExact: !this.loose.has(name), state: 'gone', as: null });
    this.expected.delete(name);
  }

  /** Its work is on the base, or it was, and somebody moved the branch to where the base was. */
  private async isSpent({ tip, reflog }: Standing): Promise<boolean> {
    const { spent } = this.ground;
    if (await this.ground.isSpent(tip)) return true;
    const hadOwn = [...spent].some((oid) => reflog?.includes(oid) === true);
    const onBase = await this.ground.ask(this.ground.r.work, 'merge-base', '--is-ancestor', tip, 'origin/main');
    return hadOwn && onBase.code === 0;
  }

  private returned(name: string, { tip, reflog }: Standing, { mayRestore, as, isCut }: Asked): void {
    const known = this.taken.filter(
      ({ was, state, ...one }) =>
        was.tip === tip && state !== 'back' && (one.name === name || as.includes(name) || this.passing.has(name)),
    );
    const alike = known.filter(({ was }) => was.reflog === reflog);
    const one = (alike.length > 0 ? alike : known).findLast(({ state }) => state === 'gone') ?? known.at(-1);
    const isOfDesk = this.desks.brought(name) && (one === undefined || as.includes(name));
    // So does that of one which is on its way, and a branch of its own can look like that so far.
    const mayBeOfDesk = isCut && as.includes(name) && this.desks.isAwaited(tip);
    if (mayBeOfDesk && one !== undefined) one.state = 'unsure';
    if (isOfDesk || mayBeOfDesk) {
      // It came with a worktree, and has nothing of its own.
      this.expected.set(name, { tip, reflog, sections: '' });
      this.loose.add(name);
      return;
    }
    if (one === undefined) throw new Error(`${name} appeared out of nothing`);
    if (!mayRestore && !this.isCut) throw new Error(`${name} came back, and nobody asked for it`);
    // Under a name that nobody has seen it under it may be another that went like that.
    const isPassing = one.name !== name && this.passing.has(name);
    one.state = isPassing ? 'unsure' : 'back';
    one.as = name;
    const { was } = one;
    this.expected.set(name, name === one.name ? was : { ...was, sections: renamed(was.sections, name) });
    if (!one.isExact || isPassing || this.orphans.has(name)) this.loose.add(name);
    else if (one.name === name) this.loose.delete(name);
  }

  /**
   * As no time passes, what a person made again can be, to the byte, what was taken away without its settings: then it
   * is what an undo that was cut off leaves, and the next one gives it its settings.
   */
  private completed(name: string, was: Standing, is: Standing): void {
    const one = this.taken.findLast(
      (taken) => taken.state === 'gone' && taken.name === name && was.tip === taken.was.tip && same(is, taken.was),
    );
    if (one === undefined || was.reflog !== one.was.reflog) return;
    one.state = same(was, is) ? 'unsure' : 'back';
    this.expected.set(name, is);
  }

  /** Nothing that was there is lost, and all of it is held by something that git minds. */
  private async expectCommits(): Promise<void> {
    const wanted = new Set(this.commits);
    for (const { commits, state } of this.taken)
      if (state === 'gone' || state === 'purged') for (const oid of commits) wanted.add(oid);
    for (const { commits } of this.desks.gone()) for (const oid of commits) wanted.add(oid);
    const now = await held(this.ground);
    const lost = [...wanted].filter((oid) => !now.has(oid));
    if (lost.length > 0) throw new Error(`not held any more: ${lost.join(' ')}`);
  }

  /** Nobody is at work and nothing is cut off: all is exactly as it must be. */
  private settled(now: Seen): void {
    this.isCut = false;
    this.isDeletionCut = false;
    const left = leftovers(this.ground);
    if (left.length > 0) throw new Error(`left over: ${left.join(' ')}`);
    for (const [name, is] of now.branches) {
      const was = this.expected.get(name);
      if (was === undefined) throw new Error(`${name} is not to be there`);
      if (this.loose.has(name)) this.expected.set(name, is);
      else if (!same(was, is)) throw new Error(`${name} is not as it was: ${JSON.stringify([was, is])}`);
    }
    for (const name of this.expected.keys()) if (!now.branches.has(name)) throw new Error(`${name} is missing`);
    for (const name of now.orphans.keys()) {
      if (this.mayStay || this.loose.has(name)) this.orphans.add(name);
      else if (!this.orphans.has(name)) throw new Error(`settings of ${name} were left behind`);
    }
    this.loose.clear();
  }

  /** How many branches can be brought back. */
  gone(): number {
    return this.taken.filter(({ state }) => state === 'gone').length;
  }

  /** Branches that worktrees use. */
  inUse(): readonly string[] {
    return [...this.before.used];
  }

  /** Somebody made settings for the name while nobody had it. */
  hasOtherSettings(name: string): boolean {
    return this.orphans.has(name);
  }

  /** Where something may have emptied the trash. */
  emptied(): void {
    for (const one of this.taken) if (one.state === 'gone') one.state = 'purged';
  }
}

function same(one: Standing | undefined, other: Standing | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function renamed(sections: string, name: string): string {
  const quoted = name.replace(/["\\]/g, '\\$&');
  return sections.replace(/\[branch\s+"(?:[^"\\]|\\.)*"\]/gi, () => `[branch "${quoted}"]`);
}
