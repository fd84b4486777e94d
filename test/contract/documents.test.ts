import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { VERBS } from '../../src/app.ts';
import { verbPage } from '../../src/commands/support/verb-page.ts';
import { errorSchema } from '../../src/contract/error.ts';
import { PUBLISHED_SCHEMAS } from '../../src/contract/json-schema.ts';
import { demoSchema, helpSchema, schemaListSchema } from '../../src/contract/lists.ts';
import { explainSchema, sweepSchema } from '../../src/contract/sweep.ts';
import { DEMO_LEFTOVERS } from '../../src/demo/leftovers.ts';
import { UserError } from '../../src/judge/facts/user-error.ts';
import { explainDocument, sweepDocument } from '../../src/render/document.ts';
import { errorDocument } from '../../src/render/error-document.ts';
import { jsonLine } from '../../src/render/json.ts';
import { demoDocument, helpDocument, schemaListDocument } from '../../src/render/lists-document.ts';
import {
  branchRow,
  HOME,
  HOSTILE,
  hostileSweep,
  keptRow,
  oid,
  path,
  ref,
  sweepOf,
  worktreeRow,
} from '../render/samples.ts';

/** What a program reads: the printed document, against the schema that is published. */
function printed<Schema extends v.GenericSchema>(schema: Schema, document: object): v.InferOutput<Schema> {
  return v.parse(schema, JSON.parse(jsonLine(document)));
}

describe('what is printed obeys its schema', () => {
  test('a sweep of everything hostile', () => {
    const sweep = hostileSweep();
    const document = printed(sweepSchema, sweepDocument(sweep, HOME));
    expect(document.rows).toHaveLength(sweep.rows.length);
    expect(JSON.stringify(document)).not.toContain(HOME);
  });

  test('a sweep that knows nothing', () => {
    const nothing = { head: null, upstream: null, ahead: null, behind: null, worktree: null, lastCommit: null };
    const sweep = sweepOf([branchRow('x', { state: nothing })], {
      repository: { path: path('/srv/app.git'), rootCommit: null },
      base: null,
      fetch: { status: 'failed', at: null, detail: 'fatal: no' },
      doubts: [{ code: 'base-unknown', text: 'no base' }],
      blind: true,
    });
    expect(printed(sweepSchema, sweepDocument(sweep, null)).repository.base).toBeNull();
  });

  test('an explain holds only the rows that were asked for', () => {
    const rows = [branchRow('a'), keptRow('b')];
    const document = printed(explainSchema, explainDocument(sweepOf(rows), rows.slice(1), HOME));
    expect(document.rows.map(({ name }) => name)).toEqual(['b']);
    expect(document.totals).toEqual({ rows: 1, acting: 0, kept: 1, bytes: 0 });
  });

  test('errors and lists', () => {
    const error = new UserError('no-such-row', `no ${HOME}/x \x1b[0m`, { hint: 'look again' });
    expect(printed(errorSchema, errorDocument('explain', error, HOME)).text).toBe('no ~/x \x1b[0m');
    expect(printed(errorSchema, errorDocument(null, new UserError('x', ''), HOME)).hint).toBeNull();
    printed(demoSchema, demoDocument('/tmp/x', DEMO_LEFTOVERS));
    printed(schemaListSchema, schemaListDocument(PUBLISHED_SCHEMAS));
    printed(helpSchema, helpDocument(VERBS.map(verbPage)));
  });
});

describe('the sweep document', () => {
  test('the whole shape', () => {
    const state = {
      head: oid('a'),
      upstream: ref('refs/remotes/origin/feature/login'),
      ahead: 1,
      behind: 2,
      worktree: path(`${HOME}/wt/login`),
      lastCommit: Date.UTC(2026, 10, 30, 12) / 1000,
    };
    const rows = [worktreeRow('login', `${HOME}/wt/login`), branchRow('feature/login', { state })];
    expect(sweepDocument(sweepOf(rows), HOME)).toMatchInlineSnapshot(`
      {
        "doubts": [],
        "fetch": {
          "at": "2026-11-30T12:00:00Z",
          "detail": null,
          "status": "fresh",
        },
        "mode": "dry-run",
        "purge": {
          "bytes": 0,
          "due": 0,
        },
        "repository": {
          "base": {
            "how": "remote-head",
            "oid": "cccccccccccccccccccccccccccccccccccccccc",
            "ref": "refs/remotes/origin/main",
          },
          "path": "~/src/app",
          "rootCommit": "0000000000000000000000000000000000000000",
        },
        "rows": [
          {
            "action": "keep",
            "evidence": [
              {
                "check": null,
                "code": "process-inside",
                "effect": "holds",
                "grade": "proven",
                "source": "processes",
                "text": "process 7 (vim) works in it",
              },
            ],
            "id": "worktree:login",
            "kind": "worktree",
            "name": "feature/x",
            "path": "~/wt/login",
            "reason": {
              "code": "process-inside",
              "text": "process 7 (vim) works in it",
            },
            "state": {
              "ahead": null,
              "behind": null,
              "branch": "refs/heads/feature/x",
              "bytes": {
                "atLeast": false,
                "value": null,
              },
              "changes": {
                "conflicted": 0,
                "ignored": {
                  "duplicate": 0,
                  "precious": 2,
                  "rebuildable": 1,
                },
                "staged": 0,
                "unstaged": 0,
                "untracked": 0,
              },
              "detached": false,
              "head": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
              "lastCommit": "2025-06-15T15:06:40Z",
              "lastWrite": null,
              "lease": null,
              "lock": null,
              "operation": null,
              "upstream": null,
            },
          },
          {
            "action": "delete",
            "evidence": [
              {
                "check": "git show aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "code": "squash-merged",
                "effect": "spent",
                "grade": "proven",
                "source": "git",
                "text": "squashed into origin/main as 1a2b3c4",
              },
            ],
            "id": "branch:refs/heads/feature/login",
            "kind": "branch",
            "name": "feature/login",
            "path": null,
            "reason": {
              "code": "squash-merged",
              "text": "squashed into origin/main as 1a2b3c4",
            },
            "state": {
              "ahead": 1,
              "behind": 2,
              "head": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
              "lastCommit": "2026-11-30T12:00:00Z",
              "upstream": "refs/remotes/origin/feature/login",
              "worktree": "~/wt/login",
            },
          },
        ],
        "schema": "coppice.sweep.v1",
        "totals": {
          "acting": 1,
          "bytes": 0,
          "kept": 1,
          "rows": 2,
        },
      }
    `);
  });

  test('a name that is no UTF-8 comes with its bytes, any other without', () => {
    const { rows } = sweepDocument(sweepOf([branchRow(HOSTILE.invalid), branchRow(HOSTILE.wide)]), HOME);
    expect(rows[0]).toMatchObject({ id: 'branch:refs/heads/bad-\\xff\\xc3(', name: 'bad-\\xff\\xc3(' });
    expect(Buffer.from(rows[0]?.nameBytes ?? '', 'base64').toString('latin1')).toBe(HOSTILE.invalid);
    expect(rows[1]).toMatchObject({ name: '機能/ログイン-👩‍💻' });
    expect(rows[1]).not.toHaveProperty('nameBytes');
  });

  test.each([1e15, -1e15, 253_402_300_800, -62_167_219_201, Number.MAX_SAFE_INTEGER])(
    'a commit of second %d has no time',
    (lastCommit) => {
      const state = { head: oid('a'), upstream: null, ahead: null, behind: null, worktree: null, lastCommit };
      expect(sweepDocument(sweepOf([branchRow('x', { state })]), HOME).rows[0]?.state).toMatchObject({
        lastCommit: null,
      });
    },
  );

  test('10,000 rows are no matter of waiting', () => {
    const rows = Array.from({ length: 10_000 }, (_, at) =>
      at % 2 === 0 ? branchRow(`feature/${at}`) : keptRow(`é-${at}`),
    );
    const started = performance.now();
    const line = jsonLine(sweepDocument(sweepOf(rows), HOME));
    expect(performance.now() - started).toBeLessThan(1000);
    expect(JSON.parse(line).rows).toHaveLength(10_000);
  });
});

test('schema/ and docs/reference.md are what the code generates', async () => {
  const script = fileURLToPath(new URL('../../scripts/generate.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [script, '--check']);
});
