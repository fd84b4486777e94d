/** Processes that may not be looked at, and whose they are. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { look } from '../support/cli.ts';
import { canMount } from '../support/mounts.ts';
import { apart, canOccupy, occupy, type Step } from '../support/occupants.ts';
import { giveAway, isRoot, unprivileged } from '../support/other-account.ts';
import { ALPHA } from '../support/repository.ts';
import { codesIn, expectCodes, rowOf, temporaryDesk } from '../support/worktree.ts';

const INSIDE = ['process-inside'];
const NOBODY = '65534';
const STRANGER = '65533';

/** A worktree of nobody, who looks. */
function givenDesk() {
  const { r, desk } = temporaryDesk();
  giveAway(r.places.root);
  return { r, desk };
}

describe.skipIf(!canOccupy || !isRoot)('root', () => {
  it.each<[string, (desk: string) => readonly Step[]]>([
    [
      'works in it',
      (desk) => [
        ['cd', desk],
        ['user', STRANGER],
      ],
    ],
    [
      'has a file open',
      (desk) => [
        ['read', join(desk, ALPHA)],
        ['user', STRANGER],
      ],
    ],
  ])('sees that a process of another account %s', async (_title, steps) => {
    const { r, desk } = temporaryDesk();
    await occupy(steps(desk));
    expectCodes(codesIn(await look(r), 'desk'), { holds: INSIDE });
  });
});

describe.skipIf(!canOccupy || !isRoot)('an ordinary account', () => {
  it('sees its own processes in it', async () => {
    const { r, desk } = givenDesk();
    const through = (unprivileged.through ?? []).slice();
    await occupy([['cd', join(desk, 'wood')]], { through });
    expectCodes(codesIn(await look(r, unprivileged), 'desk'), { holds: INSIDE, noted: ['processes-unreadable'] });
  });

  it('is not kept from anything by processes of root, nor by its own that may not be looked at', async () => {
    const { r, desk } = givenDesk();
    await occupy([['cd', desk]]);
    await occupy([['undumpable']], { through: unprivileged.through ?? [] });
    const sweep = await look(r, unprivileged);
    expectCodes(codesIn(sweep, 'desk'), { noted: ['processes-unreadable'] });
    const noted = rowOf(sweep, 'desk').evidence.find(({ code }) => code === 'processes-unreadable');
    expect(noted).toMatchObject({ effect: 'noted', text: expect.stringMatching(/^\d+ process(es)? could not be/) });
  });

  it.each([
    [0o700, []],
    [0o755, []],
    [0o775, []],
    [0o757, ['process-possibly-inside']],
    [0o777, ['process-possibly-inside']],
  ])('is kept by a process of a third account where that could write: mode %o', async (mode, holds) => {
    const { r, desk } = givenDesk();
    chmodSync(desk, mode);
    const stranger = await occupy([['user', STRANGER]]);
    const sweep = await look(r, unprivileged);
    await stranger.end();
    expectCodes(codesIn(sweep, 'desk'), { holds, noted: ['processes-unreadable'] });
    if (holds.length > 0)
      expect(rowOf(sweep, 'desk').reason.text).toMatch(
        /process \d+ .*may not be looked at, and its account could write/,
      );
  });

  it('is kept by a process of a third account in a group that could write', async () => {
    const { r, desk } = givenDesk();
    chmodSync(desk, 0o770);
    const through = ['setpriv', `--reuid=${STRANGER}`, `--regid=${STRANGER}`, `--groups=${NOBODY}`];
    await occupy([], { through });
    expectCodes(codesIn(await look(r, unprivileged), 'desk'), { holds: ['process-possibly-inside'] });
  });
});

describe.skipIf(!canOccupy || !canMount)('a list of processes that is not whole', () => {
  const unavailable = { holds: ['process-check-unavailable'] };
  // What is mounted is not told either.
  const blind = { holds: ['probe-failed', 'process-check-unavailable'] };

  it('is none at all: something else lies over /proc', async () => {
    const { r } = temporaryDesk();
    r.worktree('second', 'topic', '-b', 'second');
    const sweep = await look(r, { through: apart('mount -t tmpfs none /proc') });
    for (const name of ['desk', 'second']) expectCodes(codesIn(sweep, name), blind);
    const doubts = sweep.doubts.filter(({ code }) => code === 'process-check-unavailable');
    expect(doubts).toEqual([expect.objectContaining({ text: expect.stringContaining('/proc') })]);
    expect(codesIn(sweep, '@').holds).not.toContain('process-check-unavailable');
  });

  it('is that of other processes', async () => {
    const { r } = temporaryDesk();
    const lists = await look(r, { through: apart('mount --bind "$1" /proc', '/proc/1') });
    expectCodes(codesIn(lists, 'desk'), blind);
    // A process that is in a list of its own and looks at that of all.
    const unshared = ['unshare', '--fork', '--pid', 'sh', '-c', '"$@"; exit $?', 'sh'];
    expectCodes(codesIn(await look(r, { through: unshared }), 'desk'), unavailable);
  });

  it('hides those of other accounts', async () => {
    const { r } = givenDesk();
    // In a list of its own: on older kernels the setting would hold for all of that list.
    const hiding = (how: string) => [
      'unshare',
      '--fork',
      '--pid',
      '--mount-proc',
      'sh',
      '-c',
      `mount -o remount,hidepid=${how} /proc && "$@"; exit $?`,
      'sh',
      ...(unprivileged.through ?? []),
    ];
    expectCodes(codesIn(await look(r, { through: hiding('0') }), 'desk'), { noted: ['processes-unreadable'] });
    for (const how of ['1', '2', '4'])
      expectCodes(codesIn(await look(r, { through: hiding(how) }), 'desk'), unavailable);
  });
});
