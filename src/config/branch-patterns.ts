/**
 * The question whether `protect.branches` protects a branch; the last pattern that matches decides.
 *
 * It takes the name without `refs/heads/`, as a byte string. In patterns `*` stands for any characters, `/` too.
 */
export function protectedBy(patterns: readonly string[]): (branch: string) => boolean {
  const lastFirst = patterns.toReversed().map((pattern) => {
    const unprotects = pattern.startsWith('!');
    const text = unprotects ? pattern.slice(1) : pattern;
    return { unprotects, parts: Buffer.from(text, 'utf8').toString('latin1').split('*') };
  });
  return (branch) => {
    const decisive = lastFirst.find(({ parts }) => matches(parts, branch));
    return decisive !== undefined && !decisive.unprotects;
  };
}

function matches(parts: readonly string[], branch: string): boolean {
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return branch === first;
  if (branch.length < first.length + last.length || !branch.startsWith(first) || !branch.endsWith(last)) return false;
  // Each middle part at its first place: no pattern makes this slow.
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = branch.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= branch.length - last.length;
}
