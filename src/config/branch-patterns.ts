/**
 * Whether `protect.branches` protects a branch; the last pattern that matches decides.
 *
 * `branch`: the name without `refs/heads/`, as a byte string. `*` stands for any characters, `/` too.
 */
export function isProtectedBranch(patterns: readonly string[], branch: string): boolean {
  for (const pattern of patterns.toReversed()) {
    const unprotects = pattern.startsWith('!');
    if (matches(unprotects ? pattern.slice(1) : pattern, branch)) return !unprotects;
  }
  return false;
}

function matches(pattern: string, branch: string): boolean {
  const parts = Buffer.from(pattern, 'utf8').toString('latin1').split('*');
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
