/** Commands that never end: git's own, what it starts, and what holds its output open. */
import { type AddressInfo, createServer } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gitFor, runGit } from '../../src/git/run.ts';
import { runCli } from '../support/cli.ts';
import { standInGit } from '../support/programs.ts';
import { temporaryRepository } from '../support/repository.ts';

const DEADLINE = 1000;

/** A server that takes connections and never says a word; returns its port. */
async function deafServer(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Processes whose arguments hold `text`. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

describe('a command that takes too long', () => {
  it.runIf(process.platform === 'linux')('ends with the helper that talks to the remote', async () => {
    const r = temporaryRepository();
    const url = `http://127.0.0.1:${await deafServer()}/deaf`;
    const git = gitFor(r.work, r.env);
    const result = await runGit(git, ['ls-remote', url], { network: true, deadline: DEADLINE });
    expect(result.cut).toBe('deadline');
    // The kernel takes a moment to end what was killed.
    await vi.waitUntil(() => processesWith(url).length === 0, { timeout: 5000 });
  });

  it.runIf(process.platform === 'linux')('ends with coppice, and so does its helper', async () => {
    const r = temporaryRepository();
    const url = `http://127.0.0.1:${await deafServer()}/deaf`;
    r.git('remote', 'set-url', 'origin', url);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      let pid = 0;
      const onStart = (started: number) => {
        pid = started;
      };
      const ended = runCli(['sweep'], { cwd: r.work, env: r.env, onStart });
      await vi.waitUntil(() => processesWith(url).length > 0, { timeout: 10_000 });
      process.kill(pid, signal);
      expect(await ended).toMatchObject({ signal });
      await vi.waitUntil(() => processesWith(url).length === 0, { timeout: 5000 });
    }
  });

  for (const network of [false, true]) {
    it(`ends though something else holds its output, network ${network}`, async () => {
      const r = temporaryRepository();
      // In a session of its own nothing reaches it.
      const deaf = standInGit(r.places.root, 'setsid sleep 7 &\ntrap "" TERM\necho begun\nsleep 7');
      const git = { ...gitFor(r.work, r.env), program: `${deaf}/git` };
      const started = Date.now();
      const result = await runGit(git, ['status'], { network, deadline: DEADLINE });
      expect(result).toMatchObject({ cut: 'deadline', code: null });
      expect(result.stdout.toString()).toBe('begun\n');
      expect(Date.now() - started).toBeLessThan(6000);
    });
  }

  it('counts as too large where it prints without an end', async () => {
    const r = temporaryRepository();
    const endless = standInGit(r.places.root, 'while :; do echo more; done');
    const git = { ...gitFor(r.work, r.env), program: `${endless}/git` };
    expect(await runGit(git, ['status'], { most: 10_000 })).toMatchObject({ cut: 'too-large', code: null });
  });
});
