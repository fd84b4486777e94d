/** Processes that use a folder in some way while coppice looks. Each says when it is ready, and ends with the test file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from 'vitest';

/** A path as text or as bytes. */
type Path = string | Buffer;

/** What the process does before it waits, in this order. */
export type Step =
  | readonly [
      how: 'cd' | 'chroot' | 'read' | 'write' | 'path' | 'list' | 'map' | 'watch' | 'unlink' | 'rmdir',
      at: Path,
    ]
  | readonly [how: 'user', id: string]
  | readonly ['undumpable']
  | readonly ['lone-thread']
  | readonly ['name', name: string];

/** Numbers of system calls that Perl has no word for. */
const CALLS: Readonly<Record<string, readonly number[]>> = {
  // mmap, prctl, inotify_init1, inotify_add_watch (on other architectures it has another form), exit
  x64: [9, 157, 294, 254, 60],
  arm64: [222, 167, 26, 27, 93],
};

/** False where the processes of these tests cannot be made. */
export const canOccupy = process.platform === 'linux' && process.arch in CALLS;

const SCRIPT = `
use strict;
use Fcntl;
$| = 1;
my ($mmap, $prctl, $init, $add, $exit) = split /,/, shift;
my @kept;
my $inotify;
my $alone = 0;
while (@ARGV) {
  my ($how, $at) = (shift, pack('H*', shift));
  if ($how eq 'cd') { chdir $at or die "$how $at: $!" }
  elsif ($how eq 'chroot') { chroot $at or die "$how $at: $!"; chdir '/' }
  elsif ($how eq 'read') { sysopen my $f, $at, O_RDONLY or die "$how $at: $!"; push @kept, $f }
  elsif ($how eq 'write') { sysopen my $f, $at, O_WRONLY or die "$how $at: $!"; push @kept, $f }
  elsif ($how eq 'path') { sysopen my $f, $at, 0x200000 or die "$how $at: $!"; push @kept, $f }
  elsif ($how eq 'list') { opendir my $f, $at or die "$how $at: $!"; push @kept, $f }
  elsif ($how eq 'unlink') { unlink $at or die "$how $at: $!" }
  elsif ($how eq 'rmdir') { rmdir $at or die "$how $at: $!" }
  elsif ($how eq 'map') {
    sysopen my $f, $at, O_RDONLY or die "$how $at: $!";
    syscall($mmap, 0, 4096, 1, 2, fileno $f, 0) != -1 or die "$how $at: $!";
    close $f;
  }
  elsif ($how eq 'watch') {
    $inotify //= syscall($init, 0);
    syscall($add, $inotify, $at, 2) >= 0 or die "$how $at: $!";
  }
  elsif ($how eq 'user') { $) = "$at $at"; $( = $at; ($<, $>) = ($at, $at); $> == $at or die "$how $at: $!" }
  elsif ($how eq 'undumpable') { syscall($prctl, 4, 0) == 0 or die "$how: $!" }
  elsif ($how eq 'name') { syscall($prctl, 15, "$at\\0") == 0 or die "$how: $!" }
  elsif ($how eq 'lone-thread') { $alone = 1 }
}
if ($alone) {
  require threads;
  threads->create(sub { select undef, undef, undef, 0.05; print "ready\\n"; my $x = <STDIN>; syscall($exit + ($exit == 60 ? 171 : 1), 0) });
  syscall($exit, 0);
}
print "ready\\n";
my $x = <STDIN>;
`;

const started = new Set<ChildProcess>();

afterAll(async () => {
  await Promise.all([...started].map(end));
});

export interface OccupantOptions {
  /** A program that starts it, and that program's own arguments. */
  readonly through?: readonly string[];
  /** Where it works until it goes elsewhere. */
  readonly cwd?: string;
}

export interface Occupying {
  readonly pid: number;
  /** Ends it now. */
  end(): Promise<void>;
}

/** Starts a process and waits until it has done all of its steps. */
export async function occupy(steps: readonly Step[], options: OccupantOptions = {}): Promise<Occupying> {
  const words = steps.flatMap(([how, at = '']) => [how, Buffer.from(at).toString('hex')]);
  const calls = (CALLS[process.arch] ?? []).join(',');
  const [program, ...args] = [...(options.through ?? []), '/usr/bin/perl', '-e', SCRIPT, '--', calls, ...words];
  const child = spawn(program as string, args, {
    cwd: options.cwd ?? '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  started.add(child);
  const heard: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => heard.push(chunk));
  const said = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (String(said[0]) !== 'ready\n') throw new Error(`the occupant did not begin: ${Buffer.concat(heard).toString()}`);
  return { pid: child.pid as number, end: () => end(child) };
}

/** Words that start a program in a mount namespace of its own, after `script`, which gets the paths as $1, $2, ... */
export function apart(script: string, ...paths: readonly string[]): string[] {
  // The shell stays: where all processes of a namespace have a root of their own, nothing is known of any worktree,
  // also in tests that run beside this one.
  const rest = `shift ${paths.length}; "$@"; exit $?`;
  return ['unshare', '--mount', 'sh', '-c', `set -e; ${script}; ${rest}`, 'sh', ...paths];
}

async function end(child: ChildProcess): Promise<void> {
  started.delete(child);
  if (child.exitCode !== null) return;
  const over = once(child, 'exit');
  child.stdin?.end();
  await over;
}
