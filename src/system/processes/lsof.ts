/**
 * Who works in a folder, by lsof(8): where there is no `/proc`, or the settings say so. Only working folders are asked
 * for. lsof prints some bytes of a name escaped, and not so that they could be told from others; what stands before the
 * first of them is sure.
 */
import { spawn } from 'node:child_process';
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Occupant } from '../../judge/facts/presence.ts';
import { isWithin } from '../paths.ts';
import { beforeWeEnd, killGroup } from '../process-group.ts';
import type { AskedPlace, ProcessScan } from './scan.ts';

export interface LsofOptions {
  /** Absolute. */
  readonly program: string;
  /** This process. */
  readonly self: number;
  /** True: names that differ in case only lead to the same folder. */
  readonly foldsCase: boolean;
}

const ARGUMENTS = ['-a', '-d', 'cwd', '-Fn'];
const TIME = 5000;
const MOST_BYTES = 4 * 1024 * 1024;

/** A process and the folder it works in, as lsof prints it, as byte strings. */
export interface WorkingFolder {
  readonly pid: number;
  readonly name: string;
}

export async function scanLsof(places: readonly AskedPlace[], options: LsofOptions): Promise<Fact<ProcessScan>> {
  const output = await runLsof(options.program);
  if (output.kind !== 'known') return output;
  const folders = parseLsof(output.value);
  if (folders === null) return unknown(`what ${options.program} printed is not in a form that is known`);
  // Two of ours that it may list: itself, and this process, without which the list is that of others.
  if (!folders.some(({ pid }) => pid === options.self)) return unknown(`${options.program} does not list this process`);
  const others = folders.filter(({ pid }) => pid !== options.self);
  const readable = others.filter((one) => !isRefused(one));
  return known({
    occupants: places.map((place) => readable.flatMap((one) => occupantOf(one, place, options) ?? [])),
    watchers: [],
    unreadable: others.length - readable.length,
  });
}

/** Null: not exactly of the form that lsof's manual gives. Older ones leave out which of its folders it is: only one was asked for. */
export function parseLsof(text: string): WorkingFolder[] | null {
  if (text !== '' && !text.endsWith('\n')) return null;
  const folders: WorkingFolder[] = [];
  let pid: number | null = null;
  for (const line of text.split('\n').slice(0, -1)) {
    const value = line.slice(1);
    if (pid === null) {
      if (!/^p[1-9]\d{0,9}$/.test(line)) return null;
      pid = Number(value);
    } else if (line !== 'fcwd') {
      if (!line.startsWith('n') || value === '') return null;
      folders.push({ pid, name: value });
      pid = null;
    }
  }
  return pid === null ? folders : null;
}

/** What lsof prints in the place of a folder that it may not read. */
function isRefused({ name }: WorkingFolder): boolean {
  return /^\/proc\/\d+\/cwd \(readlink: [\w ]+\)$/.test(name) || /^\(?[Pp]ermission denied\)?$/.test(name);
}

/** Behind a name lsof writes remarks in parentheses, such as the server of a disk; a folder may also be called so. */
function occupantOf(
  { pid, name }: WorkingFolder,
  { folders }: AskedPlace,
  { foldsCase }: LsofOptions,
): Occupant | null {
  const fold = (path: string) => (foldsCase ? foldedOf(path) : path);
  const sureUpTo = name.search(/[\\^]/);
  if (sureUpTo < 0) {
    if (folders.some((folder) => isWithin(fold(name), fold(folder)))) return { pid, name: null, how: 'works' };
    const [remark = '', bare = ''] = /^(.*) \([^()]*:[^()]*\)$/s.exec(name) ?? [];
    return folders.some((folder) => fold(folder) === fold(bare))
      ? { pid, name: null, how: 'perhaps', why: `it works in what lsof calls ${remark}` }
      : null;
  }
  const sure = fold(name.slice(0, sureUpTo));
  if (!folders.some((folder) => fold(folder).startsWith(sure) || isWithin(sure, fold(folder)))) return null;
  const why = `it works in a folder that lsof printed escaped, under ${name.slice(0, sureUpTo)}`;
  return { pid, name: null, how: 'perhaps', why };
}

/** As a file system that does not tell case, nor ways of composing a letter, apart would compare it. */
function foldedOf(path: string): string {
  return Buffer.from(Buffer.from(path, 'latin1').toString('utf8').normalize('NFD').toLowerCase()).toString('latin1');
}

function runLsof(program: string): Promise<Fact<string>> {
  return new Promise((resolve) => {
    // Group of its own: lsof starts a helper, which would keep the pipe open after it is ended.
    const child = spawn(program, ARGUMENTS, {
      cwd: '/',
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let cut: string | null = null;
    const stop = () => {
      if (child.pid !== undefined && child.exitCode === null) killGroup(child.pid);
      child.stdout.destroy();
    };
    const forget = beforeWeEnd(stop);
    const timer = setTimeout(() => {
      cut = `${program} did not answer within ${TIME / 1000} s`;
      stop();
    }, TIME);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BYTES) chunks.push(chunk);
      else {
        cut ??= `${program} printed more than ${MOST_BYTES} bytes`;
        stop();
      }
    });
    const end = (answer: Fact<string>) => {
      clearTimeout(timer);
      forget();
      resolve(answer);
    };
    child.on('error', (fault) =>
      end(unknown(`${program} cannot be started (${(fault as NodeJS.ErrnoException).code ?? fault.message})`)),
    );
    child.on('close', (code, signal) => {
      if (cut !== null) end(unknown(cut));
      else if (code !== 0) end(unknown(`${program} ended with ${code === null ? signal : `status ${code}`}`));
      else end(known(Buffer.concat(chunks).toString('latin1')));
    });
  });
}
