/** A walk that takes too long is cut: that is a doubt on the row of that worktree alone. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.ts';
import { surveyRepository } from '../../src/survey/survey.ts';
import { temporaryMerged } from '../support/worktree.ts';

it('holds the worktree that it was cut in, and no other', async () => {
  const r = temporaryMerged();
  const large = r.worktree('large', 'topic');
  for (let at = 0; at < 200; at++) mkdirSync(join(large, 'scratch', String(at)), { recursive: true });
  r.git('branch', 'other', 'topic');
  r.worktree('small', 'other');
  // Each look at the clock is half a minute later than the one before.
  let now = Date.now();
  const world = {
    env: { ...r.env, COPPICE_CACHE: 'off' },
    home: r.places.home,
    platform: process.platform,
    account: process.getuid?.() ?? null,
    pid: process.pid,
    uptime: () => process.uptime(),
    now: () => {
      now += 30_000;
      return now;
    },
  };
  const survey = await surveyRepository(world, {
    directory: r.work,
    base: null,
    remote: null,
    fetch: false,
    kinds: ['worktree'],
    budget: null,
    standingIn: [],
    measure: false,
    audit: false,
    named: null,
    unused: null,
    archiveUpTo: null,
    idle: 0,
    progress: () => undefined,
  });
  const { rows, doubts } = judge(survey);
  const cut = rows.flatMap(({ id, evidence }) =>
    evidence.flatMap(({ code, text }) => (code === 'probe-failed' ? [`${id}: ${text}`] : [])),
  );
  expect(cut).toEqual(['worktree:large: looking through it took longer than 20 s']);
  expect(doubts.map(({ code }) => code)).toEqual(['process-check-unavailable']);
});
