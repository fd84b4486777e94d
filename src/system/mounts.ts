/** What is mounted where. */
import { readFileSync } from 'node:fs';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';

/** The mount points that this process sees, as byte strings. Known and empty where the platform has no such list. */
export function readMountPoints(platform: string): Fact<readonly string[]> {
  if (platform !== 'linux') return known([]);
  let text: string;
  try {
    text = readFileSync('/proc/self/mountinfo', 'latin1');
  } catch (fault) {
    return unknown(`the mounts cannot be read: ${(fault as Error).message}`);
  }
  const points: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, , , , point] = line.split(' ');
    if (point === undefined || !point.startsWith('/'))
      return unknown('the list of mounts is not in a form that is known');
    points.push(point.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))));
  }
  return known(points);
}

/** Those of `points` that lie below `folder`, relative to it; `.` is the folder itself. */
export function mountsBelow(points: readonly string[], folder: string): string[] {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return points.flatMap((point) => {
    if (point === folder) return ['.'];
    return point.startsWith(prefix) ? [point.slice(prefix.length)] : [];
  });
}
