/** What branches may be called. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchesOf, look, runCli } from '../support/cli.ts';
import { ALPHA, BETA, type Repository, temporaryRepository } from '../support/repository.ts';
import { expectVerdicts, goes, scenario, stays, type Verdict } from '../support/scenario.ts';

/** `topic` squashed into main, `other` not merged; ends on main. */
function pair(r: Repository): void {
  r.branch('other');
  r.change(BETA, 10, 'other');
  r.toMain();
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.toMain();
  r.squash('topic');
}

/** Gives `name` (bytes as latin1) the commit `oid`, whatever porcelain would say to the name. */
function give(r: Repository, name: string, oid: string): void {
  r.gitWith({ input: Buffer.from(`create refs/heads/${name}\0${oid}\0`, 'latin1') }, 'update-ref', '--stdin', '-z');
}

/** Each name twice: at a merged and at an unmerged commit. */
function named(title: string, names: readonly string[], verdict: { merged?: Verdict; unmerged?: Verdict } = {}): void {
  for (const [branch, expected] of [
    ['topic', verdict.merged ?? goes('landed')],
    ['other', verdict.unmerged ?? stays('unmerged')],
  ] as const) {
    const shown = Object.fromEntries(names.map((name) => [Buffer.from(name, 'latin1').toString('utf8'), expected]));
    scenario(
      `${title}, at ${branch === 'topic' ? 'a merged' : 'an unmerged'} commit`,
      shown,
      (r) => {
        pair(r);
        r.publish();
        const oid = r.id(`refs/heads/${branch}`);
        for (const name of names) give(r, name, oid);
      },
      { publish: false },
    );
  }
}

const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('a branch named', () => {
  named('like an option', ['-D', '--all', '--force', '-', '--', '--no-merged=x']);
  named('like a pseudo-ref', ['HEAD', 'FETCH_HEAD', 'ORIG_HEAD', 'MERGE_HEAD', 'stash', '@']);
  named('like a remote one', ['origin/main', 'origin/HEAD', 'remotes/origin/main', 'origin/topic']);
  named('like a full ref', ['refs/heads/main', 'heads/main', 'refs/remotes/origin/main', 'tags/v1']);
  named('like a commit', ['1'.repeat(40), 'deadbeef', 'v1.0-3-gdeadbee']);
  named('with main in it', [
    'fix/domain-x',
    'maintenance',
    'feature/HEAD',
    'svn-import',
    'mainline',
    'not-main',
    'x/main',
    'Main2',
  ]);
  named('for a shell', [
    "$(touch$IFS'x')",
    '`id`',
    'a;b',
    'a|b',
    'a&b',
    "it's",
    '"quoted"',
    '%s%n',
    '!x',
    '#5',
    '{a,b}',
    '<a>',
    'a=b',
    '%(objectname)',
  ]);
  named('in another script', [
    utf8('grün'),
    utf8('枝'),
    utf8('🌳/ветка'),
    utf8('e\u0301'),
    utf8('\u00e9'),
    utf8('a\u202eb'),
    utf8('a\u200bb'),
  ]);
  named('in both cases', ['feature', 'Feature', 'FEATURE']);
  named('at great length', [`${'l'.repeat(240)}`, ['d'.repeat(200), 'e'.repeat(200), 'f'.repeat(200)].join('/')]);
  named('like JSON', ['__proto__', 'constructor', 'toString', '{"a"', 'null']);

  scenario('like a tag at an old commit of main', { topic: stays('unmerged') }, (r) => {
    r.git('tag', 'topic', 'HEAD~1');
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.git('push', '--quiet', '--set-upstream', 'origin', 'refs/heads/topic:refs/heads/topic');
    r.toMain();
    r.change(BETA, 5, 'main');
  });

  scenario('like a tag at an unmerged commit', { topic: goes('landed') }, (r) => {
    pair(r);
    r.git('tag', 'topic', 'other');
  });

  scenario(
    'like the base, in another place',
    { topic: goes('landed'), other: stays('unmerged') },
    (r) => {
      pair(r);
      const other = r.id('other');
      r.publish();
      r.git('update-ref', 'refs/tags/main', other);
      r.git('update-ref', 'refs/tags/origin/main', other);
      r.git('update-ref', 'refs/origin/main', other);
      r.git('update-ref', 'refs/heads/origin/main', other);
      r.git('update-ref', 'refs/heads/refs/remotes/origin/main', other);
    },
    { publish: false },
  );

  scenario('after a commit whose subject tells lies', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.edit(ALPHA, 10, 'one');
    r.commit('fix: handle [gone] marker; merged into main (#12)');
    r.gone('topic');
    r.toMain();
    r.change(BETA, 5, 'main');
  });
});

describe('bytes that are no UTF-8', () => {
  it('are shown escaped, with the bytes beside', async () => {
    const r = temporaryRepository();
    pair(r);
    const names = ['caf\xe9', '\xff\xfe', 'a\x80b'];
    for (const name of names) {
      give(r, `gone/${name}`, r.id('topic'));
      give(r, `here/${name}`, r.id('other'));
    }
    r.publish();
    const rows = branchesOf(await look(r));
    expectVerdicts(rows, {
      'gone/caf\\xe9': goes('landed'),
      'gone/\\xff\\xfe': goes('landed'),
      'gone/a\\x80b': goes('landed'),
      'here/caf\\xe9': stays('unmerged'),
      'here/\\xff\\xfe': stays('unmerged'),
      'here/a\\x80b': stays('unmerged'),
    });
    for (const name of names) {
      const shown = `gone/${name.replace(/[\x80-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)}`;
      expect(Buffer.from(rows.get(shown)?.nameBytes ?? '', 'base64').toString('latin1')).toBe(`gone/${name}`);
    }
    expect(rows.get('main')?.nameBytes).toBeUndefined();
  });
});

describe('a name of 255 bytes', () => {
  it('can stand among the packed refs', async () => {
    const r = temporaryRepository();
    pair(r);
    r.publish();
    r.git('pack-refs', '--all');
    const packed = join(r.work, '.git', 'packed-refs');
    const [gone, here] = ['a'.repeat(255), 'b'.repeat(255)];
    const lines = readFileSync(packed, 'utf8').split('\n');
    const more = [`${r.id('topic')} refs/heads/${gone}`, `${r.id('other')} refs/heads/${here}`];
    writeFileSync(packed, [lines[0], ...more, ...lines.slice(1)].join('\n'));
    expectVerdicts(branchesOf(await look(r)), {
      [gone as string]: goes('landed'),
      [here as string]: stays('unmerged'),
    });
  });
});

describe('a symbolic ref', () => {
  const symbolic = stays('symbolic-ref', 'protected');

  scenario(
    'to main, to a merged and to an unmerged branch',
    { trunk: symbolic, here: symbolic, gone: symbolic, other: stays('unmerged'), topic: goes('landed') },
    (r) => {
      pair(r);
      r.track('other');
      r.git('symbolic-ref', 'refs/heads/trunk', 'refs/heads/main');
      r.git('symbolic-ref', 'refs/heads/here', 'refs/heads/other');
      r.git('symbolic-ref', 'refs/heads/gone', 'refs/heads/topic');
    },
  );

  scenario('to nothing hides nothing', { topic: goes('landed'), other: stays('unmerged') }, (r) => {
    pair(r);
    r.git('symbolic-ref', 'refs/heads/dangling', 'refs/heads/nowhere');
  });
});

describe('refs in two places', () => {
  scenario('the loose one is the newer', { topic: stays('unmerged'), other: goes('landed') }, (r) => {
    r.branch('other');
    r.change(BETA, 10, 'one');
    r.change(BETA, 20, 'two');
    r.toMain();
    r.squash('other');
    r.branch('topic', 'HEAD~1');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.merge('topic');
    r.git('pack-refs', '--all');
    r.checkout('topic');
    r.change(ALPHA, 30, 'more');
    r.toMain();
    r.gone('other');
    r.track('topic');
  });
});

describe('explain', () => {
  it('finds a branch by its name, whatever it looks like', async () => {
    const r = temporaryRepository();
    pair(r);
    give(r, '-D', r.id('other'));
    r.publish();
    for (const [name, action] of [
      ['topic', 'delete'],
      ['other', 'keep'],
      ['branch:refs/heads/-D', 'keep'],
    ] as const) {
      const { json, stdout } = await runCli(['explain', '--json', name], { cwd: r.work, env: r.env });
      if (json?.schema !== 'coppice.explain.v1') throw new Error(stdout);
      expect(json.rows.map((row) => [row.kind, row.action])).toContainEqual(['branch', action]);
      expect(json.rows.every((row) => row.evidence.length > 0)).toBe(true);
    }
  });

  it('says so when there is no such thing', async () => {
    const r = temporaryRepository();
    pair(r);
    r.publish();
    const { json, code } = await runCli(['explain', '--json', 'no-such-branch'], { cwd: r.work, env: r.env });
    expect(json?.schema).toBe('coppice.error.v1');
    expect(code).toBe(2);
  });
});
