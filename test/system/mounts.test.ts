/** Where a folder is seen: tables of mounts as the kernel writes them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statSync } from 'node:fs';
import {
  deviceName,
  layersOf,
  type Mount,
  mountsBelow,
  parseMounts,
  placeOf,
  readMounts,
  sightsOf,
} from '../../src/system/mounts.ts';

/** A line of mountinfo. */
function line(device: string, root: string, point: string, more = 'shared:1 - ext4 /dev/vda rw'): string {
  return `36 35 ${device} ${root} ${point} rw,noatime ${more}\n`;
}

function table(...mounts: readonly (readonly [device: string, root: string, point: string])[]): readonly Mount[] {
  return mounts.map(([device, root, point]) => ({ device, root, point }));
}

function escaped(path: string): string {
  return path.replace(/[ \t\n\\#]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function foldersOf(mounts: readonly Mount[], folder: string, of = mounts): string[] {
  const place = placeOf(of, folder);
  return place === null ? [] : sightsOf(mounts, place).map((sight) => sight.folder);
}

describe('a table of mounts', () => {
  it.each<[string, ReturnType<typeof parseMounts>]>([
    ['', []],
    [line('8:1', '/', '/'), table(['8:1', '/', '/'])],
    [line('8:1', '/', '/', '- ext4 /dev/vda rw'), table(['8:1', '/', '/'])],
    [line('8:1', '/a\\040b', '/c\\011\\012\\134d'), table(['8:1', '/a b', '/c\t\n\\d'])],
    [line('8:1', '/a\\134040b', '/'), table(['8:1', '/a\\040b', '/'])],
    [line('8:1', '/\xe9', '/\xff'), table(['8:1', '/\xe9', '/\xff'])],
    [line('0:4', 'net:[4026531840]', '/run/netns/x'), table(['0:4', 'net:[4026531840]', '/run/netns/x'])],
    [line('8:1', '/a//deleted', '/b'), table(['8:1', '/a//deleted', '/b'])],
    [
      line('0:40', '/', '/m', '- overlay o rw,lowerdir=/a\\:b:/c\\054d:rel,upperdir=/up\\040x,workdir=/w'),
      [{ ...(table(['0:40', '/', '/m'])[0] as Mount), layers: ['/a:b', '/c,d', '/up x', '/w'] }],
    ],
    [line('8:1', '/', '/', '- ext4 /dev/vda rw,lowerdir=/a'), table(['8:1', '/', '/'])],
    ['garbage\n', null],
    ['36 35 8:1 /\n', null],
    [line('8', '/', '/'), null],
    [line('8:1', '/', 'relative'), null],
    [`${line('8:1', '/', '/')}\xff\n`, null],
    [line('8:1', '/', '/').slice(0, 9), null],
  ])('%j', (text, mounts) => expect(parseMounts(text)).toEqual(mounts));

  it('has paths of any bytes', () => {
    const path = fc
      .uint8Array({ minLength: 1 })
      .map((bytes) => `/${Buffer.from(bytes).toString('latin1').replaceAll('\0', '')}`);
    fc.assert(
      fc.property(path, path, (root, point) => {
        expect(parseMounts(line('8:1', escaped(root), escaped(point)))).toEqual(table(['8:1', root, point]));
      }),
    );
  });

  it.skipIf(process.platform !== 'linux')('is that of this process', () => {
    const mounts = readMounts('linux');
    expect(mounts.kind === 'known' && placeOf(mounts.value, '/proc')?.path).toBe('/');
    expect(readMounts('darwin')).toEqual({ kind: 'known', value: [] });
  });
});

describe('the place of a folder', () => {
  it.each<[string, readonly Mount[], string, ReturnType<typeof placeOf>]>([
    ['in the only mount', table(['8:1', '/', '/']), '/a/b', { device: '8:1', path: '/a/b' }],
    ['that is the root', table(['8:1', '/', '/']), '/', { device: '8:1', path: '/' }],
    ['in a root that is a folder', table(['8:1', '/jail', '/']), '/a', { device: '8:1', path: '/jail/a' }],
    ['that is such a root', table(['8:1', '/jail', '/']), '/', { device: '8:1', path: '/jail' }],
    ['in a deeper mount', table(['8:1', '/', '/'], ['8:2', '/', '/a']), '/a/b', { device: '8:2', path: '/b' }],
    ['that is a mount', table(['8:1', '/', '/'], ['8:2', '/', '/a']), '/a', { device: '8:2', path: '/' }],
    ['beside a mount', table(['8:1', '/', '/'], ['8:2', '/', '/a']), '/ab', { device: '8:1', path: '/ab' }],
    ['whatever the order', table(['8:2', '/', '/a'], ['8:1', '/', '/']), '/a/b', { device: '8:2', path: '/b' }],
    [
      'in the last of two at one point',
      table(['8:1', '/', '/'], ['8:2', '/', '/a'], ['8:3', '/x', '/a']),
      '/a/b',
      { device: '8:3', path: '/x/b' },
    ],
    ['that no mount shows', table(['8:2', '/', '/a']), '/b', null],
  ])('%s', (_title, mounts, folder, place) => expect(placeOf(mounts, folder)).toEqual(place));
});

it('a mount that a later one hides is told by the device of the folder', () => {
  const mounts = table(['8:1', '/', '/'], ['8:2', '/', '/a/b'], ['8:3', '/', '/a']);
  expect(placeOf(mounts, '/a/b/c', '8:3')).toEqual({ device: '8:3', path: '/b/c' });
  expect(placeOf(mounts, '/a/b/c', '8:2')).toEqual({ device: '8:2', path: '/c' });
  expect(placeOf(mounts, '/a/b/c', '0:99')).toEqual({ device: '8:2', path: '/c' });
});

it.skipIf(process.platform !== 'linux')('devices have the names of the table', () => {
  expect([66_306, 1, 2_049, 1_048_840].map(deviceName)).toEqual(['259:2', '0:1', '8:1', '1:264']);
  const mounts = readMounts('linux');
  expect(mounts.kind === 'known' && placeOf(mounts.value, '/proc')?.device).toBe(deviceName(statSync('/proc').dev));
});

it('an overlay is seen for what it is made of', () => {
  const [plain] = table(['0:40', '/', '/m']) as [Mount];
  const mounts = [{ ...plain, layers: ['/home/desk/wood', '/home'] }];
  const folders = (folder: string) => layersOf(mounts, folder).map((sight) => sight.folder);
  expect(folders('/home/desk')).toEqual(['/m', '/m/desk']);
  expect(folders('/home/desk/wood/deep')).toEqual(['/m/deep', '/m/desk/wood/deep']);
  expect(folders('/homes')).toEqual([]);
});

describe('a place is seen', () => {
  const own = table(['8:1', '/', '/'], ['8:2', '/', '/home']);
  it.each<[string, readonly Mount[], string, readonly string[]]>([
    ['as here', own, '/home/desk', ['/home/desk']],
    ['in the root of a disk', own, '/desk', ['/desk']],
    ['by a mount of it', table(['0:9', '/', '/'], ['8:2', '/desk', '/mnt']), '/home/desk', ['/mnt']],
    ['by a mount of a folder above', table(['8:2', '/', '/data']), '/home/desk', ['/data/desk']],
    ['by a mount of a folder below', table(['8:2', '/desk/a/b', '/mnt']), '/home/desk', ['/mnt']],
    ['by a mount of one file', table(['8:2', '/desk/a.txt', '/etc/a']), '/home/desk', ['/etc/a']],
    ['by a root that is in it', table(['8:2', '/desk/root', '/']), '/home/desk', ['/']],
    ['by several', table(['8:2', '/', '/x'], ['8:2', '/desk', '/y']), '/home/desk', ['/x/desk', '/y']],
    ['not by a mount beside it', table(['8:2', '/desk-2', '/mnt']), '/home/desk', []],
    ['not by the same folder of another disk', table(['8:1', '/desk', '/mnt']), '/home/desk', []],
    ['that is a whole disk', table(['8:2', '/', '/mnt'], ['8:2', '/a', '/b']), '/home', ['/mnt', '/b']],
  ])('%s', (_title, mounts, folder, folders) => expect(foldersOf(mounts, folder, own)).toEqual(folders));

  it('at least where it is, with any mounts', () => {
    const name = fc.constantFrom('a', 'b', 'ab');
    const path = fc.array(name, { maxLength: 3 }).map((names) => `/${names.join('/')}`);
    const mount = fc.record({ device: fc.constantFrom('8:1', '8:2'), root: path, point: path });
    fc.assert(
      fc.property(fc.array(mount), path, (more, folder) => {
        const mounts = [...table(['8:1', '/', '/']), ...more];
        // Of a mount of a folder below a mount shows a part; the folder itself is shown where it is looked at.
        expect(foldersOf(mounts, folder)).toContain(folder);
      }),
    );
  });
});

it('mounts below a folder are told by where they lie in it', () => {
  const mounts = table(['8:1', '/', '/'], ['8:2', '/', '/a'], ['8:3', '/', '/a/b'], ['8:3', '/', '/ab']);
  expect(mountsBelow(mounts, '/a')).toEqual(['.', 'b']);
  expect(mountsBelow(mounts, '/')).toEqual(['.', 'a', 'a/b', 'ab']);
});
