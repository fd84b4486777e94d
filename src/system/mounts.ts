/** What is mounted where. */
import { readFileSync } from 'node:fs';
import { type Fact, known, unknown } from '../judge/facts/fact.ts';
import { isWithin } from './paths.ts';

/** One line of `/proc/<pid>/mountinfo` (proc_pid_mountinfo(5)), as byte strings. */
export interface Mount {
  /** The file system, as `major:minor`. */
  readonly device: string;
  /** The folder of that file system that is mounted. */
  readonly root: string;
  /** Where it is seen. */
  readonly point: string;
  /** Of an overlay the folders that it is made of, as whoever mounted it named them. */
  readonly layers?: readonly string[];
}

/** Null: not of that form. */
export function parseMounts(text: string): readonly Mount[] | null {
  const mounts: Mount[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, , device, root, point] = line.split(' ');
    if (device === undefined || !/^\d+:\d+$/.test(device) || !point?.startsWith('/')) return null;
    const layers = layersIn(line);
    mounts.push({
      device,
      root: unescapeOctal(root as string),
      point: unescapeOctal(point),
      ...(layers.length > 0 && { layers }),
    });
  }
  return mounts;
}

/** Only where they are named from the root: others cannot be told. */
function layersIn(line: string): string[] {
  const [, type = '', source = '', options = ''] = / - (\S+) (\S+) (\S+)$/.exec(line) ?? [];
  // Such as bindfs, which shows another folder.
  if (type.startsWith('fuse.') && source.startsWith('/')) return [unescapeOctal(source)];
  if (!/^(?:overlay|fuse\.(?:fuse-)?overlay(?:fs)?)$/.test(type)) return [];
  const named = [...options.matchAll(/(?:^|,)(?:lowerdir\+?|upperdir|workdir|datadir\+)=((?:\\.|[^,\\])*)/g)];
  return named
    .flatMap(([, value]) => (value as string).match(/(?:\\.|[^:\\])+/g) ?? [])
    .map((path) => unescapeOctal(path).replace(/\\(.)/g, '$1'))
    .filter((path) => path.startsWith('/'));
}

/** Bytes that the kernel writes as octal numbers, as themselves. */
export function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** The mounts that this process sees. Known and empty where the platform has no such list. */
export function readMounts(platform: string): Fact<readonly Mount[]> {
  if (platform !== 'linux') return known([]);
  let text: string;
  try {
    text = readFileSync('/proc/self/mountinfo', 'latin1');
  } catch (fault) {
    return unknown(`the mounts cannot be read: ${(fault as Error).message}`);
  }
  const mounts = parseMounts(text);
  return mounts === null ? unknown('the list of mounts is not in a form that is known') : known(mounts);
}

/** Mount points that lie below `folder`, relative to it; `.` is the folder itself. */
export function mountsBelow(mounts: readonly Mount[], folder: string): string[] {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return mounts.flatMap(({ point }) => {
    if (point === folder) return ['.'];
    return point.startsWith(prefix) ? [point.slice(prefix.length)] : [];
  });
}

/** A place in a file system, whatever path leads to it. */
export interface FilePlace {
  readonly device: string;
  readonly path: string;
}

/** What is mounted where the folder lies, which is named without links; null: nothing that is known. */
export function mountOf(mounts: readonly Mount[], folder: string, device: string | null = null): Mount | null {
  const above = mounts.filter(({ point }) => isWithin(folder, point));
  // One that lies deeper may be hidden by a later one above it.
  const own = above.filter((mount) => mount.device === device);
  // The last of several mounts at one point is the one that is seen.
  let best: Mount | null = null;
  for (const mount of own.length > 0 ? own : above) {
    if (best === null || mount.point.length >= best.point.length) best = mount;
  }
  return best;
}

/**
 * Where in which file system the folder lies, which is named without links; null: no mount shows it.
 * @param device that of the folder itself; null: not known. Some file systems give their folders another one.
 */
export function placeOf(mounts: readonly Mount[], folder: string, device: string | null = null): FilePlace | null {
  const best = mountOf(mounts, folder, device);
  return best === null ? null : { device: best.device, path: join(best.root, rest(folder, best.point)) };
}

/** A mount that shows a place or a part of it, and the folder at which it does. */
export interface Sight {
  readonly mount: Mount;
  readonly folder: string;
}

/** Every folder at which these mounts show the place or a part of it. One that another mount hides is among them. */
export function sightsOf(mounts: readonly Mount[], place: FilePlace): readonly Sight[] {
  return mounts.flatMap((mount) => {
    if (mount.device !== place.device) return [];
    if (isWithin(mount.root, place.path)) return [{ mount, folder: mount.point }];
    if (!isWithin(place.path, mount.root)) return [];
    return [{ mount, folder: join(mount.point, rest(place.path, mount.root)) }];
  });
}

/** The same of overlays that are made of the folder, of one in it, or of one that it lies in. */
export function layersOf(mounts: readonly Mount[], folder: string): readonly Sight[] {
  return mounts.flatMap((mount) =>
    (mount.layers ?? []).flatMap((layer) => {
      if (isWithin(layer, folder)) return [{ mount, folder: mount.point }];
      return isWithin(folder, layer) ? [{ mount, folder: join(mount.point, rest(folder, layer)) }] : [];
    }),
  );
}

/** As a mount table names the device that a look at a file gives. @param number of `stat` */
export function deviceName(number: number): string {
  const high = Math.floor(number / 2 ** 32);
  const low = number % 2 ** 32;
  const major = ((low >>> 8) & 0xfff) + (high & ~0xfff);
  const minor = (low & 0xff) + ((low >>> 12) & ~0xff);
  return `${major}:${minor}`;
}

/** Empty, or with a slash in front. */
function rest(path: string, folder: string): string {
  if (folder !== '/') return path.slice(folder.length);
  return path === '/' ? '' : path;
}

function join(folder: string, below: string): string {
  return folder === '/' ? below || '/' : folder + below;
}
