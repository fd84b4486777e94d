/** Random choices that a seed repeats. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number from 0 up to, not including, `end`. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to choose from');
    return list[this.below(list.length)] as T;
  }

  /** Takes one out of the list. */
  take<T>(list: T[]): T {
    if (list.length === 0) throw new Error('nothing to take');
    return list.splice(this.below(list.length), 1)[0] as T;
  }
}
