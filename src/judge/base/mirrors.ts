/** Remotes that would carry coppice's own refs away, or take them away. */

const OWN = 'refs/coppice/trash/';

/** Their names, as byte strings, from the settings of a repository. */
export function mirroringRemotes(config: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found = new Set<string>();
  for (const [key, values] of config) {
    const match = /^remote\.(.+)\.(mirror|fetch|push)$/s.exec(key);
    const [, name, what] = match ?? [];
    if (name === undefined) continue;
    const mirrors =
      what === 'mirror'
        ? !NO.includes(values.at(-1)?.toLowerCase() ?? '')
        : values.some((refspec) => covers(refspec, what));
    if (mirrors) found.add(name);
  }
  return [...found];
}

const NO: readonly string[] = ['false', 'no', 'off', '0', ''];

/** What a fetch writes to, and what a push reads from or, where it prunes, takes away. */
function covers(refspec: string, what: string | undefined): boolean {
  if (refspec.startsWith('^')) return false;
  const [source = '', destination = source] = refspec.replace(/^\+/, '').split(':');
  return (what === 'fetch' ? [destination] : [source, destination]).some(coversOwn);
}

function coversOwn(pattern: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern.startsWith(OWN);
  const prefix = pattern.slice(0, star);
  return OWN.startsWith(prefix) || prefix.startsWith(OWN);
}
