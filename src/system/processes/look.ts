/** Who uses a folder, by whatever way of looking there is here. */
import { type Fact, known, unknown } from '../../judge/facts/fact.ts';
import type { Mount } from '../mounts.ts';
import { scanLsof } from './lsof.ts';
import { scanProc } from './proc.ts';
import type { AskedPlace, ProcessScan } from './scan.ts';

export interface LookOptions {
  /** As Node names it. */
  readonly platform: string;
  readonly probe: 'auto' | 'proc' | 'lsof';
  /** The lsof to run, absolute. */
  readonly lsof: string;
  /** This process. */
  readonly self: number;
  readonly account: number | null;
  /** Seconds since this process began. */
  uptime(): number;
  readonly mounts: Fact<readonly Mount[]>;
  now(): number;
}

/** Milliseconds for all processes. */
const TIME = 10_000;

/** Unknown: it cannot be told of any of the places. */
export async function lookForProcesses(
  places: readonly AskedPlace[],
  options: LookOptions,
): Promise<Fact<ProcessScan>> {
  if (places.length === 0) return known({ occupants: [], watchers: [], unreadable: 0 });
  const { platform, probe, mounts } = options;
  const usesProc = probe === 'proc' || (probe === 'auto' && platform === 'linux');
  if (!usesProc) return scanLsof(places, { ...options, program: options.lsof, foldsCase: platform === 'darwin' });
  if (platform !== 'linux') return unknown(`there is no /proc on ${platform}`);
  if (mounts.kind !== 'known') return unknown(mounts.kind === 'unknown' ? mounts.reason : 'the mounts are not known');
  return scanProc(places, { ...options, uptime: options.uptime(), mounts: mounts.value, time: TIME });
}
