import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsMarkdown } from '../../src/config/settings-doc.ts';
import { SETTING_KEYS, SETTINGS } from '../../src/config/table.ts';

describe('the reference of settings', () => {
  it('is the one in docs (npx vitest run test/config -u writes it)', async () => {
    await expect(settingsMarkdown()).toMatchFileSnapshot(join(import.meta.dirname, '..', '..', 'docs', 'settings.md'));
  });

  it('has every setting, a line each', () => {
    const lines = settingsMarkdown().split('\n');
    for (const key of SETTING_KEYS) expect(lines.filter((line) => line.startsWith(`| \`${key}\` |`))).toHaveLength(1);
  });
});

describe('the table', () => {
  it('has the settings of the contract, with their defaults', () => {
    const defaults = Object.fromEntries(SETTING_KEYS.map((key) => [key, SETTINGS[key].default]));
    expect(defaults).toMatchInlineSnapshot(`
      {
        "base": null,
        "forge": "auto",
        "forge.hosts": [],
        "identity.holder": null,
        "idle": 86400000,
        "ignored.archiveUpTo": 16777216,
        "ignored.precious": "archive",
        "ignored.rebuildable": [],
        "inbox.records": "docs/inbox",
        "inbox.target": null,
        "lock.wait": 30000,
        "probe": "auto",
        "probe.lsof": "/usr/sbin/lsof",
        "protect.branches": [
          "main",
          "master",
          "trunk",
          "develop",
          "development",
          "dev",
          "staging",
          "production",
          "gh-pages",
          "release/*",
        ],
        "protect.paths": [],
        "remote": null,
        "reservations.enabled": false,
        "reservations.namespace": "coppice-reserved",
        "reservations.remote": null,
        "reservations.workflow": "coppice-reservations.yml",
        "roots.also": [],
        "roots.template": "{home}/worktrees/{root}/{name}",
        "sweep.kinds": [
          "worktree",
          "branch",
          "remote-branch",
          "reservation",
          "inbox",
        ],
        "sweep.remoteBranches": "all",
        "sweep.worktrees": "all",
        "trash.keep": 1209600000,
        "trash.keepRefs": 7776000000,
        "trash.path": null,
        "unused": null,
      }
    `);
  });

  it.each(SETTING_KEYS)('%s: its default is written as its own parser reads it', (key) => {
    const row = SETTINGS[key];
    if (row.default === null && row.format(null as never) === 'not set') return;
    const text = row.format(row.default as never);
    const value: unknown = JSON.parse(text);
    expect(row.parse(value, { file: 'user', home: '/home/me', top: null })).toEqual({ kind: 'ok', value: row.default });
  });
});
