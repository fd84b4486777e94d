/** The time of the fixtures. It moves by one minute a commit, so that object ids are the same in every run. */
const START = Date.UTC(2026, 0, 5, 9, 0, 0) / 1000;
const STEP = 60;

export class Clock {
  private seconds: number;

  constructor(seconds: number = START) {
    this.seconds = seconds;
  }

  /** Seconds since 1970. */
  get now(): number {
    return this.seconds;
  }

  /** Goes on by `seconds`; negative: a commit whose author's clock was behind. */
  advance(seconds: number = STEP): void {
    this.seconds += seconds;
  }

  /** The variables that make git take this time for the next commit. */
  get variables(): Readonly<Record<string, string>> {
    const date = `@${this.seconds} +0000`;
    return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  }
}
