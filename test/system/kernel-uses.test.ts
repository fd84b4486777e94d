/** What the kernel uses, as it tells it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixedUses, socketsIn } from '../../src/system/processes/kernel-uses.ts';
import { temporaryFolder } from '../support/folders.ts';

it('files behind loop devices and swap files are named', () => {
  const [proc, blocks] = [temporaryFolder(), temporaryFolder()];
  for (const [name, file] of Object.entries({ loop0: '/a b/image\n', loop7: '', sda: '/not/this\n' })) {
    mkdirSync(join(blocks, name, 'loop'), { recursive: true });
    if (file !== '') writeFileSync(join(blocks, name, 'loop', 'backing_file'), file);
  }
  writeFileSync(join(proc, 'swaps'), 'Filename Type Size Used Priority\n/desk/a\\040swap file 1 0 -2\n');
  expect(fixedUses(proc, blocks)).toEqual(['/a b/image', '/desk/a swap']);
  expect(fixedUses(join(proc, 'none'), join(blocks, 'none'))).toEqual([]);
});

it('sockets are named by what descriptors of them are called', () => {
  const proc = temporaryFolder();
  mkdirSync(join(proc, 'net'));
  const lines = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 4711 /desk/a b.sock',
    '0000000000000000: 00000002 00000000 00010000 0001 01  12 /elsewhere/x.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03 13',
    '0000000000000000: 00000002 00000000 00010000 0001 01 14 @abstract',
  ];
  writeFileSync(join(proc, 'net', 'unix'), `${lines.join('\n')}\n`);
  const found = socketsIn(proc, (path) => path.startsWith('/desk/'));
  expect([...found]).toEqual([['socket:[4711]', '/desk/a b.sock']]);
  expect([...socketsIn(join(proc, 'none'), () => true)]).toEqual([]);
});
