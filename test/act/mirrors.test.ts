/** Where a remote mirrors all refs there are no anchors, and the pack holds everything. */
import { describe, expect, it } from 'vitest';
import { mirroringRemotes } from '../../src/judge/base/mirrors.ts';
import { applySweep, missing, reachable, squashedRepository, standing, undo } from '../support/acts.ts';
import { runCli } from '../support/cli.ts';

describe('a remote that mirrors', () => {
  it.each([
    ['remote.copy.mirror', 'true'],
    ['remote.copy.push', '+refs/*:refs/*'],
    ['remote.copy.fetch', '+refs/*:refs/*'],
  ])('%s = %s', async (key, value) => {
    const r = squashedRepository('a');
    r.git('config', key, value);
    const [before, objects] = [standing(r), reachable(r)];
    const { outcomes } = await applySweep(r);
    expect(outcomes.get('a')).toMatchObject({ status: 'done', text: expect.not.stringContaining('anchors') });
    expect(r.git('for-each-ref', 'refs/coppice')).toBe('');
    r.git('push', '--quiet', 'origin', '--delete', 'a');
    r.git('gc', '--quiet', '--prune=now');
    expect(missing(r, objects)).not.toEqual([]);
    expect((await undo(r, '--last')).code).toBe(0);
    expect([missing(r, objects), standing(r).get('refs/heads/a')]).toEqual([[], before.get('refs/heads/a')]);
    expect((await runCli(['doctor', '--json'], { cwd: r.work, env: r.env })).json).toMatchObject({
      ailments: expect.arrayContaining([
        expect.objectContaining({ code: 'refs-mirrored', text: expect.stringContaining('copy') }),
      ]),
    });
  });

  it.each([
    ['fetch', '+refs/heads/*:refs/remotes/o/*', false],
    ['fetch', '+refs/*:refs/remotes/o/*', false],
    ['fetch', '+refs/coppice/*:refs/coppice/*', true],
    ['fetch', '^refs/*', false],
    ['push', 'refs/heads/*:refs/heads/*', false],
    ['push', 'refs/co*:refs/x/*', true],
    ['push', ':', false],
    ['mirror', 'no', false],
    ['mirror', 'YES', true],
  ])('%s = %s: %s', (key, value, mirrors) => {
    expect(mirroringRemotes(new Map([[`remote.a.b.${key}`, [value]]]))).toEqual(mirrors ? ['a.b'] : []);
  });
});
