/** Settings of a repository, key to values in the order in which git reads them. */
export type GitConfig = ReadonlyMap<string, readonly string[]>;

/** Reads `config --list -z`: key, line feed, value, NUL; a key without a value means true. Byte strings. */
export function parseConfig(output: Buffer): GitConfig {
  const settings = new Map<string, string[]>();
  for (const record of output.toString('latin1').split('\0')) {
    if (record === '') continue;
    const at = record.indexOf('\n');
    const key = at < 0 ? record : record.slice(0, at);
    const values = settings.get(key) ?? [];
    values.push(at < 0 ? 'true' : record.slice(at + 1));
    settings.set(key, values);
  }
  return settings;
}

/** The last value of `key`, which is the one that counts; null when it is not set. */
export function lastValue(config: GitConfig, key: string): string | null {
  return config.get(key)?.at(-1) ?? null;
}
