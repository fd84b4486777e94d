import type { Settings } from '../../config/table.ts';
import type { LookOptions } from '../../system/processes/look.ts';
import type { World } from '../world.ts';

/** How processes are looked for, as the settings say. */
export function lookOptions(
  world: World,
  settings: Pick<Settings, 'probe' | 'probe.lsof'>,
): Omit<LookOptions, 'mounts'> {
  return {
    platform: world.platform,
    probe: settings.probe,
    lsof: settings['probe.lsof'],
    self: world.pid,
    uptime: () => world.uptime(),
    account: world.account,
    now: () => world.now(),
  };
}
