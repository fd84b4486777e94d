/** The books of linked worktrees: how each was, and where it must be, at home or in the trash and then undoable. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Asked } from './ledger.ts';
import { type Desk, difference, heldAtHome, inodeOf, needOf, restsOfDesks, seeDesks, treesAside } from './desks.ts';
import type { Ground } from './ground.ts';

export interface Retired {
  readonly desk: Desk;
  /** What its git directory reached. */
  readonly commits: ReadonlySet<string>;
  /** Why it should not have gone; null: it may. */
  readonly need: string | null;
  isExact: boolean;
  state: 'gone' | 'purged' | 'back' | 'dropped';
}

/** What comes back elsewhere, or with something else checked out. */
const OF_ANOTHER_PLACE = /^(?:\.|\.git|sub|sub\/\.git|gitdir|HEAD|modules\/.*config)$/;

export class DeskLedger {
  readonly retired = new Map<string, Retired>();
  /** Those that are to be at home, as they must be. */
  private readonly home = new Map<string, Desk>();
  /** As they were seen last. */
  private seen = new Map<string, Desk>();
  private readonly loose = new Set<string>();
  private needs = new Map<string, string | null>();
  private commits = new Map<string, ReadonlySet<string>>();
  private readonly ground: Ground;

  constructor(ground: Ground) {
    this.ground = ground;
  }

  begin(): void {
    this.byUser(false);
  }

  /** @param isCut coppice is in the midst of something, or was cut off in it. */
  byUser(isCut: boolean): void {
    const now = seeDesks(this.ground);
    const aside = treesAside(this.ground);
    for (const [ino, is] of now) {
      const was = this.seen.get(ino);
      if (was !== undefined && isSame(was, is)) continue;
      this.home.set(ino, is);
      if (isCut) this.loose.add(ino);
      // An inode that is given anew.
      const old = this.retired.get(ino);
      if (old !== undefined && old.state !== 'back' && was === undefined) this.retired.delete(ino);
    }
    // git's upkeep finds a git directory also where a retirement that was cut off has moved the folder away.
    for (const [ino, desk] of this.home) if (isCut && !now.has(ino) && this.isOther(desk)) this.loose.add(ino);
    for (const one of this.retired.values())
      if (isCut && one.state === 'gone' && this.isOther(one.desk)) one.isExact = false;
    for (const [ino, { folder }] of this.home)
      if (!now.has(ino) && !aside.has(ino) && (!isCut || inodeOf(folder) !== ino)) this.home.delete(ino);
    for (const [ino, one] of this.retired)
      if (one.state === 'gone' && !aside.has(ino) && !now.has(ino) && inodeOf(one.desk.folder) !== ino)
        one.state = 'dropped';
    this.seen = now;
  }

  private isOther({ admin, held }: Desk): boolean {
    const now = heldAtHome(this.ground, admin);
    return now !== null && difference(held, now, null) !== null;
  }

  async beforeCoppice(): Promise<void> {
    this.needs = new Map();
    this.commits = new Map();
    for (const [ino, desk] of this.seen) {
      this.needs.set(ino, await needOf(this.ground, desk));
      const text = await this.ground.answer('rev-list', '--ignore-missing', '--missing=allow-any', ...desk.ids);
      this.commits.set(ino, new Set(text.split('\n').filter((line) => line !== '')));
    }
  }

  /** @param wasCut something was cut off before. @param isSettled nothing is cut off now. */
  byCoppice(asked: Asked, wasCut: boolean, isSettled: boolean): void {
    const now = seeDesks(this.ground);
    const aside = treesAside(this.ground);
    for (const [ino, desk] of this.home) {
      if (now.has(ino)) continue;
      const isHalf = inodeOf(desk.folder) === ino;
      if (isHalf && !isSettled) continue;
      if (isHalf) throw new Error(`${desk.folder} is half there`);
      if (!aside.has(ino)) throw new Error(`${desk.folder} is nowhere`);
      if (!asked.mayDelete && !wasCut) throw new Error(`${desk.folder} went, and nothing was to go`);
      this.home.delete(ino);
      this.retired.set(ino, {
        desk,
        commits: this.commits.get(ino) ?? new Set(),
        need: this.needs.get(ino) ?? null,
        isExact: !this.loose.has(ino),
        state: 'gone',
      });
    }
    for (const [ino, one] of this.retired)
      if (one.state === 'gone') this.follow(ino, one, { now, aside, asked, wasCut });
    this.seen = now;
    if (isSettled) this.settled(now, aside);
  }

  private follow(
    ino: string,
    one: Retired,
    {
      now,
      aside,
      asked,
      wasCut,
    }: { now: Map<string, Desk>; aside: Map<string, string>; asked: Asked; wasCut: boolean },
  ): void {
    const is = now.get(ino);
    if (is !== undefined) {
      if (!asked.mayRestore && !wasCut && !asked.mayDelete)
        throw new Error(`${one.desk.folder} came back, and nobody asked for it`);
      one.state = 'back';
      const isElsewhere = is.folder !== one.desk.folder || is.admin !== one.desk.admin || is.branch !== one.desk.branch;
      this.home.set(ino, isElsewhere ? is : one.desk);
      if (one.isExact) this.loose.delete(ino);
      else this.loose.add(ino);
      if (!isElsewhere) return;
      const wrong =
        difference(one.desk.tree, is.tree, OF_ANOTHER_PLACE) ?? difference(one.desk.held, is.held, OF_ANOTHER_PLACE);
      if (wrong !== null && one.isExact) throw new Error(`${is.folder} is not as it was: ${wrong}`);
    } else if (
      (!aside.has(ino) && inodeOf(one.desk.folder) !== ino && this.foundIn(ino) === null) ||
      isGoing(aside.get(ino))
    ) {
      if (asked.mayPurge !== true) throw new Error(`${one.desk.folder} is in the trash no more, and nowhere else`);
      one.state = 'purged';
    }
  }

  /** Under another name that was asked for, without its git directory yet. */
  private foundIn(ino: string): string | null {
    return this.ground.desks.find((folder) => inodeOf(folder) === ino) ?? null;
  }

  private settled(now: Map<string, Desk>, aside: Map<string, string>): void {
    const left = restsOfDesks(this.ground);
    if (left.length > 0) throw new Error(`left over: ${left.join(' ')}`);
    for (const [ino, was] of this.home) {
      const is = now.get(ino);
      if (is === undefined) throw new Error(`${was.folder} is not at home`);
      const wrong = difference(was.tree, is.tree, null) ?? difference(was.held, is.held, null);
      if (wrong !== null && !this.loose.has(ino)) throw new Error(`${was.folder} is not as it was: ${wrong}`);
      this.home.set(ino, is);
    }
    this.loose.clear();
    for (const [ino, one] of this.retired) {
      if (one.state !== 'gone') continue;
      if (!aside.has(ino)) throw new Error(`${one.desk.folder} is not in the trash`);
      if (one.need !== null) throw new Error(`${one.desk.folder} went, though ${one.need}`);
    }
  }

  /** In the trash now. */
  gone(): Retired[] {
    return [...this.retired.values()].filter(({ state }) => state === 'gone');
  }

  /** True: a worktree that is back has it, with a branch that nothing else tells of. */
  brought(branch: string): boolean {
    return [...this.retired.keys()].some((ino) => this.seen.get(ino)?.branch === branch);
  }

  /** True: one that was retired, and may be half back, had this commit checked out. */
  isAwaited(tip: string): boolean {
    return [...this.retired.values()].some(({ desk }) => desk.ids.has(tip));
  }
}

function isSame(one: Desk, other: Desk): boolean {
  return (
    one.folder === other.folder &&
    one.admin === other.admin &&
    difference(one.tree, other.tree, null) === null &&
    difference(one.held, other.held, null) === null
  );
}

/** A purge that was cut off had looked at it, and was about to delete it. */
function isGoing(tree: string | undefined): boolean {
  return tree !== undefined && basename(tree) === 'purging' && existsSync(`${tree}-begun`);
}
