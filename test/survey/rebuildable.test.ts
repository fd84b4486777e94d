/** The table of what tools make again: each folder beside its manifest, and not without it. */
import { expect, it } from 'vitest';
import { type FolderView, whyFolderRebuildable } from '../../src/survey/worktree/rebuildable.ts';

function view(files: Readonly<Record<string, string>>, folders: readonly string[] = []): FolderView {
  return {
    names: new Set([...Object.keys(files), ...folders]),
    folders: new Set(folders),
    begins: (name, bytes) => files[name]?.slice(0, bytes) ?? null,
    isNotNewerThan: () => true,
  };
}

const isRebuildable = (
  name: string,
  beside: readonly string[],
  inside: Readonly<Record<string, string>> = { a: 'x' },
) =>
  whyFolderRebuildable(
    { name, parent: view(Object.fromEntries(beside.map((file) => [file, 'x'])), [name]), above: [] },
    view(inside),
  ) !== null;

it.each([
  ['node_modules', 'pnpm-lock.yaml'],
  ['dist', 'package.json'],
  ['target', 'Cargo.toml'],
  ['build', 'build.gradle.kts'],
  ['app.egg-info', 'setup.py'],
  ['obj', 'App.csproj'],
  ['_build', 'mix.exs'],
  ['vendor', 'composer.lock'],
  ['.nx', 'nx.json'],
  ['Pods', 'Podfile.lock'],
  ['.pixi', 'pixi.lock'],
  ['elm-stuff', 'elm.json'],
  ['.cxx', 'build.gradle'],
])('%s beside %s, and only there', (name, manifest) => {
  expect(isRebuildable(name, [manifest])).toBe(true);
  expect(isRebuildable(name, [])).toBe(false);
  expect(isRebuildable(`${name}-mine`, [manifest])).toBe(false);
});

it("Go's vendor folder with its own list, beside the module", () => {
  expect(isRebuildable('vendor', ['go.mod'], { 'modules.txt': '# list\n' })).toBe(true);
  expect(isRebuildable('vendor', ['go.mod'])).toBe(false);
  expect(isRebuildable('vendor', [], { 'modules.txt': '# list\n' })).toBe(false);
});
