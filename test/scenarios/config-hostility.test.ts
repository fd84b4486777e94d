/**
 * Settings that change what git prints or compares. None of them may change a verdict, wherever it is set: the whole
 * document must be the one that is printed without them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchesOf, type CliResult, LOOK, look, runCli } from '../support/cli.ts';
import type { Environment } from '../support/environment.ts';
import { buildMixture, MIXTURE } from '../support/mixture.ts';
import { Repository } from '../support/repository.ts';
import { expectVerdicts } from '../support/scenario.ts';

type Settings = readonly (readonly [name: string, value: string])[];

const THEMES: Readonly<Record<string, Settings>> = {
  'how diffs look': [
    ['diff.noprefix', 'true'],
    ['diff.mnemonicPrefix', 'true'],
    ['diff.srcPrefix', 'x/'],
    ['diff.dstPrefix', 'y/'],
    ['diff.context', '0'],
    ['diff.interHunkContext', '20'],
    ['diff.suppressBlankEmpty', 'true'],
    ['diff.wordRegex', '.'],
    ['diff.statGraphWidth', '1'],
    ['diff.statNameWidth', '1'],
    ['diff.dirstat', 'lines,0'],
    ['diff.colorMoved', 'zebra'],
    ['diff.colorMovedWS', 'allow-indentation-change'],
    ['diff.wsErrorHighlight', 'all'],
    ['diff.relative', 'true'],
    ['core.quotePath', 'false'],
    ['core.abbrev', '4'],
  ],
  'what diffs compare': [
    ['diff.external', 'true'],
    ['diff.algorithm', 'patience'],
    ['diff.renames', 'copies'],
    ['diff.renameLimit', '1'],
    ['diff.ignoreSubmodules', 'all'],
    ['diff.submodule', 'log'],
    ['diff.orderFile', '/nowhere/order'],
    ['diff.indentHeuristic', 'false'],
    ['diff.autoRefreshIndex', 'false'],
    ['diff.guitool', 'x'],
    ['diff.nothing.textconv', 'true'],
    ['diff.nothing.command', 'true'],
    ['diff.nothing.binary', 'true'],
    ['submodule.recurse', 'true'],
    ['core.bigFileThreshold', '1'],
    ['core.whitespace', 'cr-at-eol,-blank-at-eol'],
    ['apply.ignoreWhitespace', 'change'],
    ['apply.whitespace', 'fix'],
  ],
  'what merges do': [
    ['merge.renames', 'false'],
    ['merge.renameLimit', '1'],
    ['merge.directoryRenames', 'true'],
    ['merge.renormalize', 'true'],
    ['merge.conflictStyle', 'diff3'],
    ['merge.default', 'ours'],
    ['merge.ours.driver', 'true'],
    ['merge.log', 'true'],
    ['merge.stat', 'false'],
    ['merge.ff', 'only'],
    ['merge.verifySignatures', 'true'],
    ['merge.autoStash', 'true'],
    ['pull.rebase', 'true'],
  ],
  'what logs and lists show': [
    ['log.date', 'relative'],
    ['log.decorate', 'full'],
    ['log.follow', 'true'],
    ['log.showSignature', 'true'],
    ['log.showRoot', 'false'],
    ['log.diffMerges', 'first-parent'],
    ['log.mailmap', 'false'],
    ['log.abbrevCommit', 'true'],
    ['log.initialDecorationSet', 'all'],
    ['log.excludeDecoration', '*'],
    ['format.pretty', 'oneline'],
    ['format.notes', '*'],
    ['notes.displayRef', 'refs/*'],
    ['core.notesRef', 'refs/heads/main'],
    ['branch.sort', '-committerdate'],
    ['tag.sort', '-refname'],
    ['versionsort.suffix', '-rc'],
    ['column.ui', 'always'],
    ['column.branch', 'always'],
    ['i18n.logOutputEncoding', 'UTF-16'],
    ['i18n.commitEncoding', 'ISO-8859-1'],
    ['blame.showRoot', 'true'],
    ['log.graphColors', 'red'],
    ['core.commentChar', ';'],
    ['core.warnAmbiguousRefs', 'false'],
    ['worktree.guessRemote', 'true'],
    ['status.showUntrackedFiles', 'no'],
    ['status.relativePaths', 'false'],
    ['status.short', 'true'],
    ['status.branch', 'true'],
    ['transfer.hideRefs', 'refs/heads'],
    ['uploadpack.hideRefs', 'refs/heads'],
    ['extensions.noop', 'true'],
  ],
  'colours and pagers': [
    ['color.ui', 'always'],
    ['color.diff', 'always'],
    ['color.branch', 'always'],
    ['color.status', 'always'],
    ['color.pager', 'true'],
    ['core.pager', 'false'],
    ['pager.log', 'false'],
    ['pager.branch', 'rev'],
    ['pager.diff', 'rev'],
    ['pager.for-each-ref', 'rev'],
    ['pager.rev-list', 'rev'],
    ['pager.diff-tree', 'rev'],
    ['pager.worktree', 'rev'],
    ['interactive.diffFilter', 'true'],
  ],
  'how files are read': [
    ['core.autocrlf', 'true'],
    ['core.eol', 'crlf'],
    ['core.safecrlf', 'true'],
    ['core.fileMode', 'false'],
    ['core.symlinks', 'false'],
    ['core.ignoreCase', 'true'],
    ['core.precomposeUnicode', 'true'],
    ['core.trustctime', 'false'],
    ['core.checkStat', 'minimal'],
    ['core.ignoreStat', 'true'],
    ['core.fsmonitor', 'false'],
    ['core.untrackedCache', 'true'],
    ['core.preloadIndex', 'false'],
    ['core.sparseCheckout', 'true'],
    ['core.sparseCheckoutCone', 'false'],
    ['core.splitIndex', 'true'],
    ['index.version', '4'],
    ['feature.manyFiles', 'true'],
    ['feature.experimental', 'true'],
    ['core.excludesFile', '/nowhere/ignore'],
    ['core.hooksPath', '/nowhere/hooks'],
    ['core.editor', 'false'],
    ['core.askPass', 'false'],
    ['core.logAllRefUpdates', 'false'],
    ['core.useReplaceRefs', 'true'],
    ['core.commitGraph', 'false'],
    ['core.multiPackIndex', 'false'],
    ['core.deltaBaseCacheLimit', '1'],
    ['core.packedGitLimit', '1m'],
    ['core.packedGitWindowSize', '4k'],
    ['core.alternateRefsCommand', 'false'],
    ['core.attributesFile', '/nowhere/attributes'],
    ['gc.auto', '1'],
    ['maintenance.auto', 'true'],
    ['fetch.writeCommitGraph', 'true'],
    ['filter.nothing.clean', 'false'],
    ['filter.nothing.smudge', 'false'],
    ['filter.nothing.process', 'false'],
    ['filter.nothing.required', 'true'],
  ],
  'remotes and names': [
    ['push.default', 'nothing'],
    ['remote.pushDefault', 'nowhere'],
    ['checkout.defaultRemote', 'nowhere'],
    ['init.defaultBranch', 'plain'],
    ['protocol.allow', 'never'],
    ['url./nowhere/.insteadOf', '/'],
    ['branch.autoSetupMerge', 'always'],
    ['branch.autoSetupRebase', 'always'],
    ['user.useConfigOnly', 'true'],
    ['commit.gpgSign', 'true'],
    ['gpg.program', 'false'],
    ['credential.helper', '!false'],
    ['alias.for-each-ref', '!false'],
    ['alias.rev-list', '!false'],
    ['alias.diff-tree', '!false'],
    ['alias.cat-file', '!false'],
    ['help.autoCorrect', 'immediate'],
    ['trace2.normalTarget', '/dev/stderr'],
    ['trace2.eventTarget', '/dev/stderr'],
    ['safe.bareRepository', 'explicit'],
  ],
};

const everything: Settings = Object.values(THEMES).flat();

let r: Repository;
let quiet: Environment;
let plain: unknown;
let ownConfig: string;

beforeAll(async () => {
  r = new Repository();
  buildMixture(r);
  // Without the cache, so that an answer from before cannot hide what a setting does.
  quiet = { ...r.env, COPPICE_CACHE: 'off' };
  ownConfig = readFileSync(join(r.work, '.git', 'config'), 'utf8');
  const sweep = await look(r, { env: quiet });
  expectVerdicts(branchesOf(sweep), MIXTURE);
  plain = sweep;
});

afterAll(() => r.remove());

describe('settings of the repository', () => {
  for (const [theme, settings] of Object.entries(THEMES)) {
    it(`${theme}: change nothing`, async () => {
      expect(await culprits(settings)).toEqual([]);
    });
  }

  it('in a file that is included: change nothing', async () => {
    const included = join(r.places.root, 'included');
    writeFileSync(included, asFile(everything));
    await unchangedWith(join('work', '.git', 'config'), `${ownConfig}[include]\n\tpath = ${included}\n`);
  });
});

describe('settings of the user', () => {
  it('in ~/.gitconfig: change nothing', async () => {
    await unchangedWith(join('home', '.gitconfig'), asFile(everything));
  });

  it('in ~/.config/git: change nothing', async () => {
    mkdirSync(join(r.places.home, '.config', 'git'), { recursive: true });
    writeFileSync(join(r.places.home, '.config', 'git', 'attributes'), '* -text -diff merge=ours diff=nothing\n');
    await unchangedWith(join('home', '.config', 'git', 'config'), asFile(everything));
    rmSync(join(r.places.home, '.config'), { recursive: true });
  });

  it('that hold no sense: change nothing', async () => {
    const nonsense: Settings = [
      ['color.ui', 'purple'],
      ['diff.context', '-7'],
      ['diff.renames', 'perhaps'],
      ['diff.algorithm', 'best'],
    ];
    await unchangedWith(join('home', '.gitconfig'), asFile(nonsense));
  });

  it('in the environment: change nothing', async () => {
    const pairs = everything.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]);
    const env = { ...quiet, ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(everything.length) };
    expect(await look(r, { env })).toEqual(plain);
  });

  it('in GIT_CONFIG_PARAMETERS: change nothing', async () => {
    const parameters = everything.map(([name, value]) => `'${name}'='${value}'`).join(' ');
    expect(await look(r, { env: { ...quiet, GIT_CONFIG_PARAMETERS: parameters } })).toEqual(plain);
  });
});

/** Those of `settings` that change the document: none when all at once do not, else each is tried alone. */
async function culprits(settings: Settings): Promise<string[]> {
  if (!(await changes(settings))) return [];
  const found: string[] = [];
  for (const setting of settings) if (await changes([setting])) found.push(setting.join('='));
  return found.length > 0 ? found : ['several at once'];
}

async function changes(settings: Settings): Promise<boolean> {
  const run = await withFile(join('work', '.git', 'config'), ownConfig + asFile(settings));
  return !isDeepStrictEqual(run.json, plain);
}

async function unchangedWith(file: string, text: string): Promise<void> {
  expect((await withFile(file, text)).json).toEqual(plain);
}

/** Puts `text` into a file below the root, looks, and puts the file back. */
async function withFile(file: string, text: string): Promise<CliResult> {
  const path = join(r.places.root, file);
  writeFileSync(path, text);
  try {
    return await runCli(LOOK, { cwd: r.work, env: quiet });
  } finally {
    if (file.startsWith('work')) writeFileSync(path, ownConfig);
    else rmSync(path);
  }
}

function asFile(settings: Settings): string {
  return settings
    .map(([name, value]) => {
      const parts = name.split('.');
      const [section, key] = [parts[0], parts.at(-1)];
      const middle = parts.slice(1, -1).join('.');
      const head = middle === '' ? `[${section}]` : `[${section} "${middle}"]`;
      return `${head}\n\t${key} = "${value.replaceAll('"', '\\"')}"\n`;
    })
    .join('');
}
