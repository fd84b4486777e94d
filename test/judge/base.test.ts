/** Which branch is the base, and which remotes count, from facts alone. */
import { describe, expect, it } from 'vitest';
import { type BaseFacts, resolveBase } from '../../src/judge/base/base.ts';
import { mirroringRemotes } from '../../src/judge/base/mirrors.ts';
import { chooseRemote, type Remote, safeRefspecs, trackingRef } from '../../src/judge/base/remote.ts';
import { type Oid, parseAbsPath, parseOid, parseRefName, type RefName } from '../../src/judge/facts/names.ts';
import { BASE, OTHER } from './samples.ts';

const ref = (name: string) => name as RefName;
const remote: Remote = { name: 'origin', fetch: ['+refs/heads/*:refs/remotes/origin/*'] };
const refs = (...names: readonly string[]) => new Map(names.map((name): [RefName, Oid] => [ref(name), BASE]));

const facts: BaseFacts = {
  asked: null,
  configured: null,
  remote,
  hasRemotes: true,
  remoteDefault: null,
  refs: refs('refs/remotes/origin/main', 'refs/remotes/origin/next', 'refs/heads/main', 'refs/heads/mine'),
  symbolic: new Map(),
  mainBranch: ref('refs/heads/main'),
};
const alone: BaseFacts = { ...facts, remote: null, hasRemotes: false };

function baseOf(more: Partial<BaseFacts>, from = facts) {
  const base = resolveBase({ ...from, ...more });
  return base.kind === 'known' ? `${base.value.how} ${base.value.ref}` : base.kind;
}

describe('the base', () => {
  it('is the first answer of the list', () => {
    expect(baseOf({ asked: 'next', configured: 'mine' })).toBe('option refs/remotes/origin/next');
    expect(baseOf({ configured: 'mine' })).toBe('config refs/heads/mine');
    expect(baseOf({ remoteDefault: ref('refs/heads/next') })).toBe('remote-head refs/remotes/origin/next');
    const symbolic = new Map([[ref('refs/remotes/origin/HEAD'), ref('refs/remotes/origin/next')]]);
    expect(baseOf({ symbolic })).toBe('tracking-head refs/remotes/origin/next');
    expect(baseOf({})).toBe('conventional-name refs/remotes/origin/main');
    expect(baseOf({}, alone)).toBe('local-branch refs/heads/main');
  });

  it('is not known where several or none may be it', () => {
    expect(baseOf({ remote: null })).toBe('unknown');
    expect(baseOf({ remoteDefault: ref('refs/heads/gone') })).toBe('unknown');
    expect(baseOf({ refs: refs('refs/remotes/origin/main', 'refs/remotes/origin/master') })).toBe('unknown');
    expect(baseOf({ refs: refs('refs/heads/main') })).toBe('unknown');
    expect(baseOf({ refs: refs('refs/heads/mine') }, alone)).toBe('unknown');
    const two = refs('refs/heads/main', 'refs/heads/master');
    expect(baseOf({ refs: two, mainBranch: ref('refs/heads/mine') }, alone)).toBe('unknown');
    expect(baseOf({ refs: two }, alone)).toBe('local-branch refs/heads/main');
    expect(baseOf({ refs: two, mainBranch: null }, alone)).toBe('unknown');
    expect(baseOf({ mainBranch: ref('refs/heads/mine') }, alone)).toBe('local-branch refs/heads/main');
    expect(baseOf({ mainBranch: ref('refs/heads/trunk') }, alone)).toBe('local-branch refs/heads/main');
  });

  it('that a person names is looked for in full, at the remote, and here', () => {
    expect(baseOf({ asked: 'main' })).toBe('option refs/remotes/origin/main');
    expect(baseOf({ asked: 'main' }, alone)).toBe('option refs/heads/main');
    expect(baseOf({ asked: 'refs/heads/main' })).toBe('option refs/heads/main');
    expect(baseOf({ asked: 'origin/next' }, alone)).toBe('option refs/remotes/origin/next');
    expect(baseOf({ asked: 'gone' })).toBe('unknown');
    expect(baseOf({ asked: 'a..b', refs: refs('refs/heads/a..b') })).toBe('unknown');
  });
});

describe('a remote', () => {
  it('is the one asked for, the configured one, origin, or the only one', () => {
    const [other, third] = [
      { ...remote, name: 'other' },
      { ...remote, name: 'third' },
    ];
    const chosen = (remotes: readonly Remote[], asked: string | null = null, configured: string | null = null) =>
      chooseRemote(remotes, asked, configured)?.name ?? null;
    expect(chosen([remote, other], 'other', 'third')).toBe('other');
    expect(chosen([remote, other], null, 'other')).toBe('other');
    expect(chosen([remote], 'other')).toBeNull();
    expect(chosen([other, remote])).toBe('origin');
    expect(chosen([other])).toBe('other');
    expect(chosen([other, third])).toBeNull();
  });

  it('has its branches where its refspecs bring them below refs/remotes, else in coppice’s own copy', () => {
    const kept = (...fetch: string[]) => trackingRef({ name: 'r', fetch }, ref('refs/heads/a/b'));
    expect(kept('^refs/heads/x', '+refs/heads/*:refs/remotes/r/*')).toBe('refs/remotes/r/a/b');
    expect(kept('refs/heads/a/b:refs/remotes/r/one')).toBe('refs/remotes/r/one');
    expect(kept('refs/heads/a:refs/remotes/r/one')).toBe('refs/coppice/remotes/r/a/b');
    expect(kept('refs/heads/a/*/x:refs/remotes/r/*')).toBe('refs/coppice/remotes/r/a/b');
    expect(kept('refs/heads/x*:refs/remotes/r/*')).toBe('refs/coppice/remotes/r/a/b');
    expect(kept('refs/heads/a/b*a/b:refs/remotes/r/*')).toBe('refs/coppice/remotes/r/a/b');
    expect(kept('refs/merge/*:refs/remotes/r/*')).toBe('refs/coppice/remotes/r/a/b');
    expect(kept('+refs/*:refs/*')).toBe('refs/coppice/remotes/r/a/b');
    expect(kept('^refs/heads/*:refs/remotes/r/*')).toBe('refs/coppice/remotes/r/a/b');
  });

  it('is fetched from to nowhere else', () => {
    const fetch = ['^refs/heads/x', 'refs/heads/main:refs/remotes/r/main', '+refs/*:refs/*', 'refs/heads/y'];
    expect(
      safeRefspecs(
        { name: 'r', fetch },
        ['main', 'next'].map((name) => ref(`refs/heads/${name}`)),
      ),
    ).toEqual(['^refs/heads/x', 'refs/heads/main:refs/remotes/r/main', '+refs/heads/next:refs/coppice/remotes/r/next']);
  });
});

describe('a mirror', () => {
  const mirrors = (key: string, ...values: string[]) => mirroringRemotes(new Map([[key, values]])).join();

  it('is told by its settings', () => {
    expect(mirrors('remote.a.b.mirror', 'true')).toBe('a.b');
    expect(mirrors('remote.a.mirror', 'true', 'Off')).toBe('');
    expect(mirrors('remote.a.url', 'true')).toBe('');
    expect(mirrors('branch.a.mirror', 'true')).toBe('');
    expect(mirroringRemotes(new Map([['branch.a.fetch', ['+refs/*:refs/*']]]))).toEqual([]);
  });

  it('is told by refspecs that take what coppice keeps, or write to it', () => {
    expect(mirrors('remote.a.fetch', '+refs/heads/*:refs/remotes/a/*')).toBe('');
    expect(mirrors('remote.a.fetch', '+refs/heads/*:refs/remotes/a/*', '+refs/*:refs/*')).toBe('a');
    expect(mirrors('remote.a.fetch', '^refs/*')).toBe('');
    expect(mirrors('remote.a.fetch', '^refs/heads/*:refs/*')).toBe('');
    expect(mirrors('remote.a.push', 'refs/coppicex')).toBe('');
    expect(mirrors('remote.a.fetch', 'refs/*:refs/copy/*')).toBe('');
    expect(mirrors('remote.a.push', 'refs/*:refs/copy/*')).toBe('a');
    expect(mirrors('remote.a.push', 'refs/copy/*:refs/coppice/trash/x*')).toBe('a');
    expect(mirrors('remote.a.push', 'refs/coppice/trash/x')).toBe('a');
    expect(mirrors('remote.a.push', 'refs/heads/x')).toBe('');
    expect(mirrors('remote.a.push', '+refs/*')).toBe('a');
  });
});

describe('a name', () => {
  it.each([
    ['refs/heads/a', true],
    ['heads/a', false],
    ['refs/heads/', false],
    ['refs/heads/a.', false],
    ['refs/heads/a..b', false],
    ['refs/heads/a b', false],
  ])('of a ref: %s %s', (text, isOne) => expect(parseRefName(text)).toBe(isOne ? text : null));

  it('of a commit, and of a place', () => {
    expect(parseOid(OTHER)).toBe(OTHER);
    expect(parseOid(OTHER.slice(1))).toBeNull();
    expect(parseAbsPath('/a')).toBe('/a');
    expect([parseAbsPath('a'), parseAbsPath('/a\0')]).toEqual([null, null]);
  });
});
