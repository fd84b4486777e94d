/** Histories with clocks that are wrong, replaced objects, grafts, notes: none of it may change what is true. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchesOf, LOOK, runCli } from '../support/cli.ts';
import { ALPHA, BETA, GAMMA, type Repository, temporaryRepository } from '../support/repository.ts';
import { expectVerdicts, goes, scenario, stays } from '../support/scenario.ts';

/** `topic` squashed onto a moved file, `other` not merged; ends on main. */
function pair(r: Repository): void {
  r.branch('other');
  r.change(GAMMA, 10, 'other');
  r.track('other');
  r.toMain();
  r.branch('topic');
  r.change(ALPHA, 10, 'one');
  r.change(ALPHA, 20, 'two');
  r.toMain();
  r.change(ALPHA, 30, 'main');
  r.squash('topic');
  r.change(ALPHA, 10, 'main knew better');
  r.gone('topic');
}

const verdicts = { topic: goes('squash-merged'), other: stays('unmerged') };

describe('replaced objects', () => {
  scenario('make main have the branch for a parent', verdicts, (r) => {
    pair(r);
    r.git('replace', '--graft', 'main', 'main~1', 'other');
    expect(r.tryGit({}, 'merge-base', '--is-ancestor', 'other', 'main').code).toBe(0);
  });

  scenario('make the branch look like an old main', verdicts, (r) => {
    pair(r);
    r.git('replace', 'other', 'main~2');
  });

  scenario('make the contents of the branch look like main', verdicts, (r) => {
    pair(r);
    r.git('replace', `other:${GAMMA}`, `main:${GAMMA}`);
    r.git('replace', 'other^{tree}', 'main^{tree}');
  });

  scenario('hide the squash', verdicts, (r) => {
    pair(r);
    r.git('replace', '--graft', 'main', 'main~3');
  });
});

describe('grafts', () => {
  const graft = (r: Repository, ...commits: readonly string[]) => {
    const path = join(r.work, '.git', 'info', 'grafts');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${commits.map((commit) => r.id(commit)).join(' ')}\n`);
  };

  scenario(
    'make main have the branch for a parent',
    verdicts,
    (r) => {
      pair(r);
      r.publish();
      graft(r, 'main', 'main~1', 'other');
      expect(r.tryGit({}, 'merge-base', '--is-ancestor', 'other', 'main').code).toBe(0);
    },
    { publish: false },
  );

  scenario(
    'cut the fork away',
    verdicts,
    (r) => {
      pair(r);
      r.publish();
      graft(r, 'other');
      graft(r, 'topic');
    },
    { publish: false },
  );
});

describe('clocks', () => {
  scenario('that were years behind when the branch was made', verdicts, (r) => {
    r.clock.advance(-10 * 365 * 86_400);
    r.branch('other');
    r.change(GAMMA, 10, 'other');
    r.toMain();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.clock.advance(10 * 365 * 86_400);
    r.change(ALPHA, 30, 'main');
    r.squash('topic');
    r.change(ALPHA, 10, 'main knew better');
  });

  scenario('that were years behind when main went on', verdicts, (r) => {
    r.branch('other');
    r.change(GAMMA, 10, 'other');
    r.toMain();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.clock.advance(-10 * 365 * 86_400);
    r.change(ALPHA, 30, 'main');
    r.squash('topic');
    for (let line = 1; line <= 5; line += 1) r.change(BETA, line, 'main');
    r.change(ALPHA, 10, 'main knew better');
  });

  scenario('that went backwards with every commit', verdicts, (r) => {
    const backwards = () => r.clock.advance(-3600);
    r.branch('other');
    r.change(GAMMA, 10, 'other');
    r.toMain();
    backwards();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    backwards();
    r.change(ALPHA, 20, 'two');
    r.toMain();
    backwards();
    r.change(ALPHA, 30, 'main');
    backwards();
    r.squash('topic');
    backwards();
    r.change(ALPHA, 10, 'main knew better');
  });

  scenario('in 1970 and in 2099', verdicts, (r) => {
    r.clock.advance(-r.clock.now);
    r.branch('other');
    r.change(GAMMA, 10, 'other');
    r.toMain();
    r.branch('topic');
    r.clock.advance(4_070_908_800);
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(ALPHA, 30, 'main');
    r.squash('topic');
    r.change(ALPHA, 10, 'main knew better');
  });
});

describe('what is tied to commits', () => {
  scenario('notes that hold diffs', verdicts, (r) => {
    pair(r);
    const patch = r.git('diff', 'main', 'other');
    for (const commit of r.git('rev-list', 'main', 'other', 'topic').split('\n'))
      r.git('notes', 'add', `--message=${patch}`, commit);
    r.git('config', 'notes.displayRef', 'refs/notes/*');
  });

  scenario('messages that look like the output of git', verdicts, (r) => {
    pair(r);
    r.commitStaged(
      [
        'x',
        '',
        `commit ${r.id('other')}`,
        'diff --git a/x b/x',
        `:100644 100644 ${r.id('topic')} ${r.id('main')} M\tx`,
        '\u001b[31mred',
      ].join('\n'),
    );
  });

  scenario('messages in another encoding, and none at all', verdicts, (r) => {
    pair(r);
    r.git('-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '--quiet', '--allow-empty', '--message=gr\xfcn');
    r.git('commit', '--quiet', '--allow-empty', '--allow-empty-message', '--message=');
  });
});

describe('a long main', () => {
  scenario('of which the fork is far down', verdicts, (r) => {
    r.branch('other');
    r.change(GAMMA, 10, 'other');
    r.toMain();
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.change(ALPHA, 30, 'main');
    r.squash('topic');
    r.change(ALPHA, 10, 'main knew better');
    const stream = [`feature done\n`];
    let from = r.id('main');
    for (let n = 0; n < 500; n += 1) {
      const text = `step ${n}\n`;
      stream.push(
        `commit refs/heads/main\nmark :${n + 1}\ncommitter A <a@b> ${r.clock.now + n} +0000\ndata 4\nstep\nfrom ${from}\nM 100644 inline log/${n % 7}.txt\ndata ${text.length}\n${text}\n`,
      );
      from = `:${n + 1}`;
    }
    stream.push('done\n');
    r.gitWith({ input: stream.join('') }, 'fast-import', '--quiet');
    r.git('reset', '--quiet', '--hard');
  });
});

describe('a folder', () => {
  scenario(
    'with a name that needs quoting',
    verdicts,
    (r) => {
      pair(r);
      r.publish();
      const odd = join(r.places.root, 'wo rk\t$(id) \'"% ü');
      renameSync(r.work, odd);
      r.work = odd;
    },
    { publish: false },
  );

  it('with a line feed in its name is judged or refused, never misread', async () => {
    const r = temporaryRepository();
    pair(r);
    r.publish();
    const odd = join(r.places.root, 'wo\nrk');
    renameSync(r.work, odd);
    const run = await runCli(LOOK, { cwd: odd, env: r.env });
    if (run.json?.schema === 'coppice.sweep.v1') expectVerdicts(branchesOf(run.json), verdicts);
    else expect(run.code).toBe(2);
  });

  scenario(
    'below another repository',
    verdicts,
    (r) => {
      pair(r);
      r.publish();
      r.gitWith({ cwd: r.places.root }, 'init', '--quiet', '.');
    },
    { publish: false },
  );
});
