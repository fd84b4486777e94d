/**
 * Ignored files and folders that a tool makes again from what the repository holds. One table: a folder's name is never
 * enough, each rule asks for what the tool leaves beside it or in it.
 */

/** A folder as the rules see it. Names are byte strings; a link is itself, never what it leads to. */
export interface FolderView {
  /** Names of its entries. */
  readonly names: ReadonlySet<string>;
  /** Names of its entries that are folders. */
  readonly folders: ReadonlySet<string>;
  /** The first bytes of a file in it; null when it is no regular file or cannot be read. */
  begins(name: string, bytes: number): string | null;
  /** True when no file below is newer than the newest of `marks`; false, too, when that cannot be told. */
  isNotNewerThan(marks: readonly string[]): boolean;
}

/** What is known where a rule is asked. */
export interface Surroundings {
  readonly name: string;
  /** The folder that the entry lies in. */
  readonly parent: FolderView;
  /** Folders above it, the nearest first, up to the top of the worktree. */
  readonly above: readonly FolderView[];
}

/** @returns what proves it, in words; null: nothing does. */
type FolderRule = (around: Surroundings, folder: FolderView) => string | null;

const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
];

/** Build and cache folders, beside the manifest of the tool that makes them. `*` stands for any characters. */
const BESIDE_MANIFEST: readonly { readonly folders: readonly string[]; readonly manifests: readonly string[] }[] = [
  {
    folders: [
      'dist',
      'build',
      'out',
      'coverage',
      '.next',
      '.nuxt',
      '.output',
      '.turbo',
      '.svelte-kit',
      '.parcel-cache',
      '.vite',
      '.angular',
      '.astro',
      '.docusaurus',
      '.nyc_output',
      'storybook-static',
    ],
    manifests: ['package.json'],
  },
  { folders: ['target'], manifests: ['Cargo.toml', 'pom.xml', 'build.sbt'] },
  {
    folders: ['build', '.gradle'],
    manifests: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  },
  {
    folders: [
      'build',
      'dist',
      '.eggs',
      '*.egg-info',
      '.tox',
      '.nox',
      '.mypy_cache',
      '.pytest_cache',
      '.ruff_cache',
      'htmlcov',
    ],
    manifests: ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini'],
  },
  { folders: ['bin', 'obj'], manifests: ['*.csproj', '*.fsproj', '*.vbproj'] },
  { folders: ['.build'], manifests: ['Package.swift'] },
  { folders: ['_build', 'deps'], manifests: ['mix.exs'] },
  { folders: ['build', '.dart_tool'], manifests: ['pubspec.yaml'] },
  { folders: ['vendor'], manifests: ['composer.lock'] },
  { folders: ['dist-newstyle'], manifests: ['cabal.project', '*.cabal'] },
  { folders: ['.stack-work'], manifests: ['stack.yaml'] },
  { folders: ['zig-out', 'zig-cache', '.zig-cache'], manifests: ['build.zig'] },
  { folders: ['.nx'], manifests: ['nx.json'] },
  { folders: ['Pods'], manifests: ['Podfile.lock'] },
  { folders: ['.pixi'], manifests: ['pixi.lock'] },
  { folders: ['elm-stuff'], manifests: ['elm.json'] },
  { folders: ['.cxx'], manifests: ['build.gradle', 'build.gradle.kts'] },
];

/** What Python and its tools put into a virtual environment. */
const IN_ENVIRONMENT: readonly string[] =
  'pyvenv.cfg bin lib lib64 include share src etc man doc Scripts Lib Include .gitignore .lock CACHEDIR.TAG __pycache__'.split(
    ' ',
  );

const TAG = 'CACHEDIR.TAG';
const SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55';

const FOLDER_RULES: readonly FolderRule[] = [
  ({ name, parent, above }) => {
    if (name !== 'node_modules') return null;
    for (const folder of [parent, ...above]) {
      const lock = LOCK_FILES.find((file) => folder.names.has(file));
      if (lock !== undefined) return `installed from ${lock}`;
    }
    return null;
  },
  ({ name, parent }, folder) =>
    name === 'vendor' && parent.names.has('go.mod') && holdsText(folder, 'modules.txt')
      ? 'made by go mod vendor'
      : null,
  // Made in a folder with other things, it is not made again with them.
  (_around, folder) =>
    holdsText(folder, 'pyvenv.cfg') && all(folder.names, ...IN_ENVIRONMENT)
      ? 'a virtual environment (pyvenv.cfg)'
      : null,
  ({ name }, folder) =>
    name === '__pycache__' && folder.folders.size === 0 && all(folder.names, '*.pyc')
      ? 'only compiled Python files'
      : null,
  ({ name, parent }) => {
    for (const { folders, manifests } of BESIDE_MANIFEST) {
      if (!folders.some((pattern) => matches(name, pattern))) continue;
      const manifest = [...parent.names].find((file) => manifests.some((pattern) => matches(file, pattern)));
      if (manifest !== undefined) return `made by the tool of ${manifest}`;
    }
    return null;
  },
  ({ parent }, folder) =>
    holdsText(folder, 'CMakeCache.txt') && parent.names.has('CMakeLists.txt') ? 'made by CMake' : null,
  (_around, folder) =>
    folder.begins(TAG, SIGNATURE.length) === SIGNATURE && folder.isNotNewerThan([TAG])
      ? `a cache folder (${TAG})`
      : null,
];

/** Files that a tool makes again, by name. Backups and swap files of editors are none: they may hold the only copy. */
const FILES: readonly string[] = [
  '*.tsbuildinfo',
  '.eslintcache',
  '.stylelintcache',
  '.DS_Store',
  'Thumbs.db',
  '*.pyc',
];

/** What proves that a folder is made again; null: nothing does. */
export function whyFolderRebuildable(around: Surroundings, folder: FolderView): string | null {
  for (const rule of FOLDER_RULES) {
    const why = rule(around, folder);
    if (why !== null) return why;
  }
  return null;
}

/** The same for a regular file. */
export function whyFileRebuildable(name: string): string | null {
  return FILES.some((pattern) => matches(name, pattern)) ? 'made again by its tool' : null;
}

/**
 * True when one of the settings' patterns means this path: a name, or a path from the top; `*` stands for any characters
 * of one name.
 */
export function isNamedRebuildable(patterns: readonly string[], path: string): boolean {
  const parts = path.split('/');
  return patterns.some((pattern) => {
    const wanted = pattern
      .replace(/\/$/, '')
      .split('/')
      .filter((part) => part !== '');
    if (wanted.length === 1 && !pattern.startsWith('/')) return matches(parts.at(-1) ?? '', wanted[0] ?? '');
    return wanted.length === parts.length && wanted.every((part, at) => matches(parts[at] ?? '', part));
  });
}

function holdsText(folder: FolderView, name: string): boolean {
  return (folder.begins(name, 1) ?? '') !== '';
}

/** Every name is one of these. */
function all(names: ReadonlySet<string>, ...patterns: readonly string[]): boolean {
  for (const name of names) if (!patterns.some((pattern) => matches(name, pattern))) return false;
  return true;
}

/** `*` stands for any characters. */
function matches(name: string, pattern: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return name === pattern;
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
