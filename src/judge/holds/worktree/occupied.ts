// Question: is somebody in it?
// Evidence: every process's working folder, root, open and mapped files. What only may be is a hint, and holds as well.
import { type Evidence, holds, noted } from '../../evidence.ts';
import type { Fact } from '../../facts/fact.ts';
import type { Occupant, Presence } from '../../facts/presence.ts';
import { count } from '../hold.ts';

export function occupied(presence: Fact<Presence>): (Evidence | null)[] {
  if (presence.kind === 'absent') return [];
  if (presence.kind === 'unknown')
    return [
      holds('process-check-unavailable', `who is in it cannot be told: ${presence.reason}`, { source: 'processes' }),
    ];
  const { occupants, unreadable } = presence.value;
  const inside = occupants.filter(({ how }) => how !== 'watches' && how !== 'perhaps');
  const perhaps = occupants.filter(
    ({ how, pid }) => (how === 'watches' || how === 'perhaps') && !inside.some((one) => one.pid === pid),
  );
  return [
    inside.length === 0
      ? null
      : holds('process-inside', wordsOf(inside), { source: 'processes', check: checkOf(inside) }),
    perhaps.length === 0
      ? null
      : holds('process-possibly-inside', wordsOf(perhaps), {
          grade: 'hint',
          source: 'processes',
          check: checkOf(perhaps),
        }),
    unreadable === 0
      ? null
      : noted(
          'processes-unreadable',
          `${count(unreadable, 'process', 'processes')} could not be looked at`,
          null,
          'processes',
        ),
  ];
}

function wordsOf(occupants: readonly Occupant[]): string {
  const pids = new Set(occupants.map(({ pid }) => pid));
  const [first] = occupants as [Occupant];
  const others = pids.size - 1;
  return `process ${first.pid}${first.name === null ? '' : ` (${first.name})`} ${useWords(first)}${others === 0 ? '' : `, and ${count(others, 'other process', 'other processes')}`}`;
}

function useWords(occupant: Occupant): string {
  switch (occupant.how) {
    case 'works':
      return 'works in it';
    case 'root':
      return 'has its root in it';
    case 'open':
      return `has ${occupant.path} open`;
    case 'mapped':
      return `has ${occupant.path} in its memory`;
    case 'watches':
      return 'has itself told of changes in it';
    case 'perhaps':
      return `may be in it: ${occupant.why}`;
  }
}

function checkOf([first]: readonly Occupant[]): string {
  return `ls -l /proc/${first?.pid}/cwd /proc/${first?.pid}/fd`;
}
