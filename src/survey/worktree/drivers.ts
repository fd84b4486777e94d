import type { GitConfig } from '../../git/parse/config.ts';

/** The names of the filter drivers that settings define. */
export function driversOf(config: GitConfig): string[] {
  const names = new Set<string>();
  for (const key of config.keys()) {
    const name = /^filter\.(.*)\.(?:clean|smudge|process|required)$/s.exec(key)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names];
}
