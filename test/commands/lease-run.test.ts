/** `lease run`: the built program, and real commands under it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliOptions, entry, errorOf } from '../support/cli.ts';
import { leaseInside } from '../support/inside.ts';
import { here, holding, leased, runRaw } from '../support/leased.ts';
import { type Repository, temporaryRepository } from '../support/repository.ts';
import { ask, stateOf } from '../support/state.ts';

describe('lease run', () => {
  const under = (r: Repository, script: string, args: readonly string[] = [], options: Partial<CliOptions> = {}) => {
    return runRaw(['lease', 'run', ...args, '--', 'sh', '-c', script], r, options);
  };

  it.each([0, 1, 7, 255])('ends with the status %d of its command', async (status) => {
    const r = temporaryRepository();
    expect(await under(r, `exit ${status}`, ['--exit-zero'])).toMatchObject({
      code: status,
      signal: null,
      stdout: '',
      stderr: '',
    });
    expect(await leaseInside(r, ['show'])).toMatchObject({ code: 1, json: { outcome: 'released' } });
  });

  it('gives the command what it needs, and nobody else the lease', async () => {
    const r = temporaryRepository();
    const tree = r.worktree('app-x');
    const script = `
      cat; echo "$COPPICE_WORKTREE"; pwd
      node ${entry} lease show --worktree ${tree} > /dev/null && echo live
      node ${entry} lease heartbeat --worktree ${tree} > /dev/null && echo kept
      unset COPPICE_LEASE_TOKEN
      node ${entry} lease acquire --worktree ${tree} 2> /dev/null || echo $?`;
    const { stdout, code } = await under(r, script, ['--worktree', tree, '--task', 'T-1'], { input: 'from stdin\n' });
    expect([stdout, code]).toEqual([`from stdin\n${tree}\n${r.work}\nlive\nkept\n3\n`, 0]);
    expect(existsSync(stateOf(r, 'tokens'))).toBe(false);
  });

  it('leaves a lease that was there before: it only renews', async () => {
    const { r, tree, token } = await leased();
    const options = { ...holding(r, token), cwd: tree };
    expect(await under(r, 'exit 4', [], options)).toMatchObject({ code: 4 });
    expect(await leaseInside(r, ['show'], here(tree))).toMatchObject({ code: 0 });
    const nested = `node ${entry} lease run -- true && node ${entry} lease show > /dev/null`;
    await leaseInside(r, ['release'], options);
    expect(await under(r, nested, [], here(tree))).toMatchObject({ code: 0 });
    expect(await leaseInside(r, ['show'], here(tree))).toMatchObject({ code: 1, json: { outcome: 'released' } });
  });

  it("says with --json on stderr what was leased: stdout is the command's", async () => {
    const r = temporaryRepository();
    const { stdout, stderr } = await under(r, 'echo mine', ['--json', '--token-file', '../token']);
    expect(stdout).toBe('mine\n');
    expect(JSON.parse(stderr)).toMatchObject({
      schema: 'coppice.lease.v1',
      action: 'run',
      outcome: 'acquired',
      tokenFile: join(r.places.root, 'token'),
      lease: { standing: 'live' },
    });
  });

  it('a command that cannot be started is a fault, and the lease is given back', async () => {
    const r = temporaryRepository();
    expect(errorOf(await ask(r, ['lease', 'run', '--', 'no-such-program']))).toMatchObject({
      code: 'command-not-started',
      exit: 2,
    });
    expect(await leaseInside(r, ['show'])).toMatchObject({ json: { outcome: 'released' } });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'a command that is ended by %s ends it by the same, after the lease is given back',
    async (signal) => {
      const r = temporaryRepository();
      expect(await under(r, `kill -${signal.slice(3)} $$`)).toMatchObject({ code: null, signal });
      expect(await leaseInside(r, ['show'])).toMatchObject({ json: { outcome: 'released' } });
    },
  );

  it('a command that crashed ends it with the status that a shell gives', async () => {
    const r = temporaryRepository();
    expect(await under(r, 'kill -ABRT $$')).toMatchObject({ code: 134, signal: null });
  });

  it.each([
    ['that handles it', "trap 'echo caught; exit 5' TERM", { code: 5, signal: null, stdout: 'ready\ncaught\n' }],
    ['that does not', ':', { code: null, signal: 'SIGTERM', stdout: 'ready\n' }],
  ] as const)('passes a signal on to a command %s', async (_, prepare, ended) => {
    const r = temporaryRepository();
    // Blocked in a read of its own: it ends by the signal alone.
    const script = `${prepare}; echo ready; read -r line`;
    const child = spawn(process.execPath, [entry, 'lease', 'run', '--', 'sh', '-c', script], {
      cwd: r.work,
      env: r.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString('utf8');
    });
    await once(child.stdout, 'data');
    expect(await leaseInside(r, ['show'])).toMatchObject({ code: 0 });
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'close');
    expect({ code, signal, stdout }).toEqual(ended);
    expect(await leaseInside(r, ['show'])).toMatchObject({ json: { outcome: 'released' } });
  });

  it('the lease that was lost meanwhile is told, and changes nothing for the command', async () => {
    const r = temporaryRepository();
    const script = `rm ${stateOf(r, 'leases')}/*; exit 6`;
    const { code, stderr } = await under(r, script);
    expect([code, stderr]).toEqual([6, expect.stringMatching(/^coppice: there is no lease on /)]);
  });
});
