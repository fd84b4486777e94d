/**
 * A look changes nothing: no byte and no time of the repository, its worktrees, its origin or the home folders. And it
 * takes as many git processes for three hundred branches as for five.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actingBranches, look, LOOK, runCli } from '../support/cli.ts';
import { countGit } from '../support/count-git.ts';
import { MIXTURE, temporaryMixture } from '../support/mixture.ts';
import { ALPHA, BETA, type Repository } from '../support/repository.ts';
import { snapshot } from '../support/snapshot.ts';

const wouldGo = Object.keys(MIXTURE)
  .filter((name) => MIXTURE[name]?.action === 'delete')
  .sort();

/** Makes everything look older or newer than it is, so that git would like to refresh its index. */
function unsettle(r: Repository, desk: string): void {
  for (const folder of [r.work, desk]) {
    const file = join(folder, ALPHA);
    writeFileSync(file, r.gitWith({ cwd: folder }, 'show', `HEAD:${ALPHA}`));
    writeFileSync(join(folder, BETA), 'an edit\n');
    writeFileSync(join(folder, 'untracked'), 'x\n');
  }
}

function everythingBut(r: Repository, ...left: readonly string[]): Map<string, string> {
  const seen = snapshot(r.places.root);
  for (const path of seen.keys())
    if (left.some((name) => path === name || path.startsWith(`${name}/`))) seen.delete(path);
  // The cache folder is made below the root, which is no part of the repository.
  seen.delete('.');
  return seen;
}

describe('nothing is touched', () => {
  it.each([
    ['a sweep', LOOK],
    ['a sweep for people', ['sweep', '--no-fetch', '--offline', '--all']],
    ['an explanation', ['explain', '--json', '--no-fetch', '--offline', 'plain']],
  ] as const)('by %s', async (_title, args) => {
    const r = temporaryMixture();
    const desk = r.worktree('desk', 'plain');
    unsettle(r, desk);
    const before = everythingBut(r, 'cache');
    for (const cache of [r.places.cache, r.places.cache, 'off']) {
      const run = await runCli(args, { cwd: r.work, env: { ...r.env, COPPICE_CACHE: cache } });
      expect(run.code, run.stderr).toBeLessThanOrEqual(1);
      expect(everythingBut(r, 'cache')).toEqual(before);
    }
    expect(existsSync(r.places.coppiceHome)).toBe(false);
  });

  it('by a sweep from a linked worktree', async () => {
    const r = temporaryMixture();
    const desk = r.worktree('desk', 'plain');
    unsettle(r, desk);
    const before = everythingBut(r, 'cache');
    await look(r, { cwd: desk });
    expect(everythingBut(r, 'cache')).toEqual(before);
  });

  it('in a home folder without a cache of its own, but for the cache', async () => {
    const r = temporaryMixture();
    const before = everythingBut(r, 'home/.cache');
    const { COPPICE_CACHE: _cache, COPPICE_HOME: _home, ...env } = r.env;
    await look(r, { env: { ...env, XDG_CACHE_HOME: join(r.places.home, '.cache') } });
    const after = everythingBut(r, 'home/.cache');
    // Only the home folder's own times may differ: the cache folder was made in it.
    before.delete('home');
    after.delete('home');
    expect(after).toEqual(before);
  });
});

describe('the cache', () => {
  it('is left out where the home folder is no absolute path: nothing is made where one stands', async () => {
    const r = temporaryMixture();
    const { COPPICE_CACHE: _cache, XDG_CACHE_HOME: _shared, ...env } = r.env;
    const before = everythingBut(r, 'cache');
    await look(r, { env: { ...env, HOME: 'relative' } });
    expect(everythingBut(r, 'cache')).toEqual(before);
  });

  it('changes no answer: without, empty, full, damaged, out of reach', async () => {
    const r = temporaryMixture();
    const without = await look(r, { env: { ...r.env, COPPICE_CACHE: 'off' } });
    expect(actingBranches(without)).toEqual(wouldGo);
    expect(await look(r)).toEqual(without);
    expect(await look(r)).toEqual(without);
    for (const damage of ['', '{', '\0'.repeat(100), '[]', 'null']) {
      for (const [path, line] of snapshot(r.places.cache)) {
        if (line.startsWith('100')) writeFileSync(join(r.places.cache, path), damage);
      }
      expect(await look(r)).toEqual(without);
    }
    const blocked = join(r.places.root, 'a-file');
    writeFileSync(blocked, '');
    expect(await look(r, { env: { ...r.env, COPPICE_CACHE: join(blocked, 'cache') } })).toEqual(without);
  });

  it('is not believed when another build wrote it', async () => {
    const r = temporaryMixture();
    const without = await look(r, { env: { ...r.env, COPPICE_CACHE: 'off' } });
    await look(r);
    const [file = ''] = [...snapshot(r.places.cache).keys()].filter((path) => path.includes('merged-'));
    const [, body = ''] = readFileSync(join(r.places.cache, file), 'utf8').split('\n');
    const kept = JSON.parse(body) as { key: string; entries: Record<string, { proof: unknown }> };
    for (const facts of Object.values(kept.entries)) facts.proof = null;
    const write = () => {
      const text = JSON.stringify(kept);
      writeFileSync(join(r.places.cache, file), `${createHash('sha256').update(text).digest('hex')}\n${text}`);
    };
    write();
    expect(actingBranches(await look(r)), 'the same build believes it').not.toEqual(wouldGo);
    kept.key = kept.key.replace(/[0-9a-f]{64}/, '0'.repeat(64));
    write();
    expect(await look(r)).toEqual(without);
  });

  it('is not believed once the base has moved', async () => {
    const r = temporaryMixture();
    expect(actingBranches(await look(r))).toContain('landed');
    const landing = r.git('log', '-1', '--format=%H', '--fixed-strings', '--grep=landed (#1)', 'main');
    r.revert(landing);
    r.publish();
    expect(actingBranches(await look(r))).toEqual(wouldGo.filter((name) => name !== 'landed'));
    r.revert('HEAD');
    r.publish();
    expect(actingBranches(await look(r))).toEqual(wouldGo);
  });

  it('is not believed once a branch has moved', async () => {
    const r = temporaryMixture();
    expect(actingBranches(await look(r))).toContain('landed');
    r.git('branch', '--force', 'landed', 'plain');
    r.git('branch', '--force', 'fresh', 'moved');
    const acting = actingBranches(await look(r));
    expect(acting).not.toContain('landed');
    expect(acting).toContain('moved');
  });
});

describe('git processes', () => {
  it('are a constant number, at most a dozen', async () => {
    const counts: number[] = [];
    for (const branches of [5, 50, 300]) {
      const r = temporaryMixture();
      importBranches(r, branches);
      const counter = countGit(r.places.root, { ...r.env, COPPICE_CACHE: 'off' });
      const sweep = await look(r, { env: counter.env });
      expect(sweep.rows.length).toBeGreaterThan(branches);
      counts.push(counter.calls().length);
      expect(counter.calls().length, counter.calls().join('\n')).toBeLessThanOrEqual(12);
    }
    expect(new Set(counts).size, counts.join(' ')).toBe(1);
  });

  it('are fewer when the cache knows', async () => {
    const r = temporaryMixture();
    const cold = countGit(r.places.root, r.env);
    await look(r, { env: cold.env });
    const before = cold.calls().length;
    await look(r, { env: cold.env });
    expect(cold.calls().length - before).toBeLessThanOrEqual(before);
  });

  it('stay few with many worktrees', async () => {
    const r = temporaryMixture();
    const worktrees = 6;
    for (let n = 0; n < worktrees; n += 1) r.worktree(`desk-${n}`, 'main', '-b', `desk/${n}`);
    const counter = countGit(r.places.root, { ...r.env, COPPICE_CACHE: 'off' });
    await look(r, { env: counter.env });
    expect(counter.calls().length, counter.calls().join('\n')).toBeLessThanOrEqual(12 + 2 * worktrees);
  });
});

/** Adds branches of one commit each, every third of them picked onto main. */
function importBranches(r: Repository, count: number): void {
  const from = r.id('main');
  const stream = ['feature done\n'];
  let mark = 0;
  let main = from;
  const commit = (ref: string, parent: string, n: number, text: string) => {
    mark += 1;
    const time = r.clock.now + mark;
    stream.push(`commit ${ref}\nmark :${mark}\ncommitter A <a@b> ${time} +0000\ndata 4\nstep\nfrom ${parent}\n`);
    stream.push(`M 100644 inline many/${n}.txt\ndata ${text.length}\n${text}\n`);
    return `:${mark}`;
  };
  for (let n = 0; n < count; n += 1) {
    commit(`refs/heads/many/${n}`, from, n, `branch ${n}\n`);
    if (n % 3 === 0) main = commit('refs/heads/main', main, n, `branch ${n}\n`);
  }
  stream.push('done\n');
  r.gitWith({ input: stream.join('') }, 'fast-import', '--quiet');
  r.git('reset', '--quiet', '--hard');
  r.publish();
}
