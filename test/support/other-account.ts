/** Looks made by an account without root's privileges, which would hide every missing permission. */
import { chownSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CliOptions } from './cli.ts';

const NOBODY = 65_534;

export const isRoot = process.getuid?.() === 0;

/** How coppice is run so: as nobody when this is root, else as it is. */
export const unprivileged: Partial<CliOptions> = isRoot
  ? { through: ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] }
  : {};

/** Gives a folder and all in it to the account that looks. */
export function giveAway(path: string): void {
  if (!isRoot) return;
  lchownSync(path, NOBODY, NOBODY);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name));
}

/** Gives one file or folder to an account that is neither this one nor the one that looks. */
export function giveToStranger(path: string): void {
  chownSync(path, NOBODY - 1, NOBODY - 1);
}
