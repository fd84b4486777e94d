/** What a change may consist of besides lines of text. */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe } from 'vitest';
import { ALPHA, BETA, GAMMA, type Repository } from '../support/repository.ts';
import { goes, scenario, stays } from '../support/scenario.ts';

/** The same change twice: squashed, and left on the branch. */
function both(
  title: string,
  before: (r: Repository) => void,
  change: (r: Repository) => void,
  main: (r: Repository) => void,
): void {
  scenario(`${title}, squashed`, { topic: goes('landed') }, (r) => {
    before(r);
    r.branch('topic');
    change(r);
    r.commit('the change');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.squash('topic');
    r.change(GAMMA, 6, 'main');
    r.gone('topic');
  });
  scenario(`${title}, not merged`, { topic: stays('unmerged') }, (r) => {
    before(r);
    r.branch('topic');
    change(r);
    r.commit('the change');
    r.toMain();
    main(r);
    r.commit('main');
    r.track('topic');
  });
}

const nothing = () => {};
const elsewhere = (r: Repository) => r.edit(BETA, 30, 'main');

describe('a file', () => {
  both(
    'is renamed',
    nothing,
    (r) => r.git('mv', ALPHA, 'wood/alpha2.txt'),
    (r) => r.git('mv', BETA, 'wood/beta2.txt'),
  );

  both(
    'is renamed and edited',
    nothing,
    (r) => {
      r.git('mv', ALPHA, 'wood/alpha2.txt');
      r.edit('wood/alpha2.txt', 10, 'one');
    },
    (r) => r.git('mv', ALPHA, 'wood/alpha2.txt'),
  );

  both(
    'is copied',
    nothing,
    (r) => r.write('wood/copy.txt', r.read(ALPHA)),
    (r) => r.write('wood/other-copy.txt', r.read(ALPHA)),
  );

  both(
    'is deleted',
    nothing,
    (r) => r.delete(ALPHA),
    (r) => r.edit(ALPHA, 10, 'main goes on with it'),
  );

  both(
    'is new',
    nothing,
    (r) => r.write('wood/new.txt', ['new']),
    (r) => r.write('wood/new.txt', ['new, but otherwise']),
  );

  both(
    'is new and empty',
    nothing,
    (r) => r.write('wood/empty', ''),
    (r) => r.write('wood/another-empty', ''),
  );

  both(
    'becomes executable',
    nothing,
    (r) => r.executable(ALPHA),
    (r) => r.edit(ALPHA, 30, 'main'),
  );

  both(
    'becomes executable and is edited',
    nothing,
    (r) => {
      r.executable(ALPHA);
      r.edit(ALPHA, 10, 'one');
    },
    (r) => r.edit(ALPHA, 10, 'one'),
  );

  both(
    'is no longer executable',
    (r) => {
      r.executable(ALPHA);
      r.commit('executable');
    },
    (r) => r.executable(ALPHA, false),
    elsewhere,
  );

  both(
    'is binary',
    (r) => {
      r.write('picture.bin', Uint8Array.from([0, 1, 2, 3]));
      r.commit('a picture');
    },
    (r) => r.write('picture.bin', Uint8Array.from([0, 1, 2, 3, 200, 201])),
    (r) => r.write('picture.bin', Uint8Array.from([0, 1, 2, 3, 200, 202])),
  );

  both('gets no line feed at its end', nothing, (r) => r.write(ALPHA, r.read(ALPHA).slice(0, -1)), elsewhere);

  both(
    'gets carriage returns',
    nothing,
    (r) => r.write(ALPHA, r.read(ALPHA).replaceAll('\n', '\r\n')),
    (r) => r.write(ALPHA, r.read(ALPHA).replaceAll('\n', ' \n')),
  );

  both(
    'is indented',
    (r) => {
      r.write('code.py', ['def f(x):', '    if x:', '        a()', 'b()', 'c()', 'd()']);
      r.commit('code');
    },
    (r) => r.edit('code.py', 4, '        b()'),
    (r) => r.edit('code.py', 4, '    b()'),
  );

  both(
    'gets blank lines',
    nothing,
    (r) => r.insert(ALPHA, 10, '', ''),
    (r) => r.insert(ALPHA, 10, ''),
  );

  both(
    'is UTF-16',
    (r) => {
      r.write('wide.txt', Buffer.from('one\ntwo\nthree\n', 'utf16le'));
      r.commit('wide');
    },
    (r) => r.write('wide.txt', Buffer.from('one\nTWO\nthree\n', 'utf16le')),
    (r) => r.write('wide.txt', Buffer.from('one\ntwo\nTHREE\n', 'utf16le')),
  );

  both(
    'has a name that no shell likes',
    nothing,
    (r) => {
      for (const name of ['-rf', 'a\tb', 'a\nb', '"quoted"', "it's", '$(id)', ':(top)x', 'back\\slash', 'grün 🌳'])
        r.write(name, ['x']);
    },
    elsewhere,
  );

  both(
    'has a name that is no UTF-8',
    nothing,
    (r) => writeFileSync(Buffer.concat([Buffer.from(`${r.work}/wood/`), Buffer.from([0xff, 0xfe, 0x41])]), 'x\n'),
    elsewhere,
  );
});

describe('a symbolic link', () => {
  const link = (r: Repository, target: string) => {
    r.tryGit({}, 'rm', '--quiet', '--force', 'link');
    symlinkSync(target, r.path('link'));
  };
  const linked = (r: Repository) => {
    link(r, ALPHA);
    r.commit('a link');
  };
  both(
    'is new',
    nothing,
    (r) => link(r, ALPHA),
    (r) => link(r, BETA),
  );
  both(
    'gets another target',
    linked,
    (r) => link(r, BETA),
    (r) => link(r, GAMMA),
  );
  both(
    'becomes a file with the same bytes',
    linked,
    (r) => {
      r.delete('link');
      r.write('link', ALPHA);
    },
    (r) => link(r, BETA),
  );
});

describe('a folder', () => {
  both(
    'takes the place of a file',
    (r) => {
      r.write('thing', ['a file']);
      r.commit('a thing');
    },
    (r) => {
      r.delete('thing');
      r.write('thing/inside.txt', ['in a folder']);
    },
    (r) => r.write('thing', ['a file still']),
  );

  both(
    'gives way to a file',
    (r) => {
      r.write('thing/inside.txt', ['in a folder']);
      r.commit('a thing');
    },
    (r) => {
      r.delete('thing');
      r.write('thing', ['a file']);
    },
    (r) => r.write('thing/second.txt', ['more']),
  );

  scenario('moves with all its files, squashed', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    renameSync(r.path('wood'), r.path('forest'));
    r.commit('to the forest');
    r.toMain();
    r.write('README', ['read me']);
    r.commit('main');
    r.squash('topic');
    r.gone('topic');
  });

  scenario('moves with all its files, not merged', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    renameSync(r.path('wood'), r.path('forest'));
    r.commit('to the forest');
    r.toMain();
    r.write('forest/new.txt', ['new']);
    r.commit('main');
    r.track('topic');
  });
});

describe('everything', () => {
  scenario('is deleted, not merged', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.git('rm', '--quiet', '-r', 'wood');
    r.commit('an empty tree');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.track('topic');
  });

  scenario('is deleted, squashed, and main begins anew', { topic: goes('landed') }, (r) => {
    r.branch('topic');
    r.git('rm', '--quiet', '-r', 'wood');
    r.commit('an empty tree');
    r.toMain();
    r.squash('topic');
    r.write('README', ['a new beginning']);
    r.commit('begin');
    r.gone('topic');
  });
});

describe('20 MB', () => {
  const large = (fill: number) => Buffer.alloc(20 << 20, Buffer.concat([Buffer.alloc(79, fill), Buffer.from('\n')]));

  scenario('squashed, and not merged', { topic: goes('landed'), other: stays('unmerged') }, (r) => {
    r.write('large.txt', large(65));
    r.commit('large');
    r.branch('other');
    r.write('large.txt', large(66));
    r.commit('large, otherwise');
    r.toMain();
    r.branch('topic');
    r.write('large.txt', large(67));
    r.commit('large, once more');
    r.toMain();
    r.change(GAMMA, 5, 'main');
    r.squash('topic');
    r.change(GAMMA, 6, 'main');
  });
});

describe('a submodule', () => {
  const first = '1'.repeat(40);
  const second = '2'.repeat(40);
  const third = '3'.repeat(40);
  const pin = (r: Repository, commit: string, ...options: readonly string[]) =>
    r.git('update-index', ...options, '--cacheinfo', `160000,${commit},sub`);
  const withSubmodule = (r: Repository) => {
    r.write('.gitmodules', ['[submodule "sub"]', '\tpath = sub', '\turl = ./sub']);
    mkdirSync(r.path('sub'));
    r.git('add', '.gitmodules');
    pin(r, first, '--add');
    r.commitStaged('a submodule');
  };

  scenario('moves on, with a text, squashed', { topic: goes('landed') }, (r) => {
    withSubmodule(r);
    r.branch('topic');
    pin(r, second);
    r.commitStaged('bump');
    r.edit(ALPHA, 10, 'one');
    r.git('add', ALPHA);
    r.commitStaged('one');
    r.git('checkout', '--quiet', '--force', 'main');
    r.edit(BETA, 5, 'main');
    r.git('add', BETA);
    r.commitStaged('main');
    r.squash('topic');
    r.gone('topic');
  });

  scenario('moves on here, and elsewhere on main', { topic: stays('unmerged') }, (r) => {
    withSubmodule(r);
    r.branch('topic');
    pin(r, second);
    r.commitStaged('bump');
    r.git('checkout', '--quiet', '--force', 'main');
    pin(r, third);
    r.commitStaged('bump otherwise');
    r.track('topic');
  });

  scenario('is left out of the squash', { topic: stays('unmerged') }, (r) => {
    withSubmodule(r);
    r.branch('topic');
    pin(r, second);
    r.commitStaged('bump');
    r.edit(ALPHA, 10, 'one');
    r.git('add', ALPHA);
    r.commitStaged('one');
    r.git('checkout', '--quiet', '--force', 'main');
    r.edit(ALPHA, 10, 'one');
    r.git('add', ALPHA);
    r.commitStaged('one');
    r.track('topic');
  });
});

describe('a file that main had renamed before', () => {
  scenario('edited on the branch, squashed', { topic: goes('squash-merged', 'absorbed') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.change(ALPHA, 20, 'two');
    r.toMain();
    r.git('mv', ALPHA, 'wood/omega.txt');
    r.commit('alpha is omega');
    r.squash('topic');
    r.gone('topic');
  });

  scenario('edited on the branch, not merged', { topic: stays('unmerged') }, (r) => {
    r.branch('topic');
    r.change(ALPHA, 10, 'one');
    r.toMain();
    r.git('mv', ALPHA, 'wood/omega.txt');
    r.commit('alpha is omega');
    r.track('topic');
  });

  scenario('renamed likewise, edited, squashed', { topic: goes('landed', 'squash-merged', 'absorbed') }, (r) => {
    r.branch('topic');
    r.git('mv', ALPHA, 'wood/omega.txt');
    r.edit('wood/omega.txt', 10, 'one');
    r.commit('omega');
    r.toMain();
    r.git('mv', ALPHA, 'wood/omega.txt');
    r.commit('alpha is omega');
    r.squash('topic');
    r.gone('topic');
  });
});

describe('a file that the branch renames', () => {
  scenario('and main had edited before the squash', { topic: goes('squash-merged', 'absorbed') }, (r) => {
    r.branch('topic');
    r.git('mv', ALPHA, 'wood/omega.txt');
    r.commit('alpha is omega');
    r.toMain();
    r.change(ALPHA, 10, 'main');
    r.squash('topic');
    r.gone('topic');
  });
});
