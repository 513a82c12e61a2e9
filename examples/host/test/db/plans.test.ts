/**
 * Statements on events and on the log name the project, and read no others: by rows read, in a large project beside
 * another.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../../../../test/files.js';
import {
  DECIDE,
  LEASE,
  POSTPONE,
  RELEASE,
  SELECT_EVENTS,
  SET_POSITIONS,
} from '../../src/deciding/statements.js';
import type { Database } from '../../src/db/index.js';
import { SELECT_SENT } from '../../src/db/library.js';
import { SELECT_REPLAY_POSITION, SELECT_TOPICS } from '../../src/delivering/statements.js';
import { newId } from '../../src/ids.js';
import * as retention from '../../src/retention/statements.js';
import { SELECT_UNDECIDED } from '../../src/runtime/backlog.js';
import { SELECT_EARLIEST, SELECT_FIRST_PROCESSED } from '../../src/sdk-clients/statements.js';
import { statusFact } from '../../src/stored/facts.js';
import { databases } from './databases.js';
import { type Asked, openPlanning, rowsRead, sqlitePlan } from './plan-reader.js';

const [PROJECT, OTHER] = [newId(1), newId(2)];
const EVENTS = 30_000;
const UNDECIDED = 40;
const REPLAYS = 40;
const BATCH = 50;
const idOf = (n: number): string => `evt_${String(n).padStart(26, '0')}`;
const IDS = Array.from({ length: BATCH }, (_, n) => idOf(2 * n));
const [LIST, OBJECTS] = [JSON.stringify(IDS), JSON.stringify(IDS.map((id) => ({ id })))];
const KEYS = JSON.stringify(
  IDS.map((id, n) => ({ project: PROJECT, id, position: n, n, status: 'processed' })),
);
const POSITIONS = JSON.stringify(IDS.map((_, n) => ({ position: n })));

/**
 * Each with the rows of events, and those of the log, that it may read: those of its batch, or those of a small index.
 */
const ASKED: readonly (readonly [...Asked, events: number, log: number])[] = [
  ['lease', LEASE, [PROJECT, 9, 10, BATCH], 3 * UNDECIDED, 0],
  ['decide', DECIDE, [KEYS, 1], 2 * UNDECIDED, 0],
  ['postpone', POSTPONE, [KEYS, 1], 2 * UNDECIDED, 0],
  ['release', RELEASE, [KEYS, 1], 2 * UNDECIDED, 0],
  ['positions', SET_POSITIONS, [KEYS], BATCH, 0],
  ['undecided events', SELECT_EVENTS, [PROJECT, LIST, 1], BATCH, 0],
  ['bodies', SELECT_SENT, [KEYS], BATCH, 0],
  ['backlog', SELECT_UNDECIDED, [], 3 * UNDECIDED, 0],
  ['old events', retention.SELECT_OLD_EVENTS, [PROJECT, '', idOf(EVENTS), 100], 100, 0],
  ['lock of old events', retention.LOCK_OLD_EVENTS, [PROJECT, LIST], 2 * BATCH, 0],
  ['replays in the log', retention.SELECT_REPLAYED, [PROJECT, OBJECTS], 0, BATCH],
  ['end of the log', retention.DELETE_LOG, [PROJECT, POSITIONS], 0, BATCH],
  ['end of events', retention.DELETE_EVENTS, [PROJECT, LIST], BATCH, 0],
  ['first processed', SELECT_FIRST_PROCESSED, [PROJECT, idOf(9), 1_000, 1_000], 0, 0],
  ['earliest', SELECT_EARLIEST, [PROJECT, LIST, idOf(9), 1_000], BATCH, REPLAYS],
  ['topics', SELECT_TOPICS, [PROJECT, LIST], BATCH, 0],
  ['position of a replay', SELECT_REPLAY_POSITION, [PROJECT, idOf(0), 'r'], 0, 1],
];

/** Half of the events are of another project. */
async function fill(db: Database): Promise<void> {
  const numbers = Array.from({ length: EVENTS }, (_, n) => n);
  const projectOf = (n: number): string => (n % 2 === 0 ? PROJECT : OTHER);
  const isUndecided = (n: number): boolean => n >= EVENTS - 2 * UNDECIDED;
  for (let from = 0; from < EVENTS; from += 10_000) {
    const some = numbers.slice(from, from + 10_000);
    await db.insert(
      'events',
      some.map((n) => ({
        ...{ id: idOf(n), project_id: projectOf(n), type: 't', received_at: n, decide_failures: 0 },
        ...{ status: isUndecided(n) ? 'received' : 'processed', decide_at: isUndecided(n) ? 1 : null },
        ...{ log_position: n, tags: '[]', decision: '{"matched":[],"endpoint_ids":null,"limits":[]}' },
      })),
    );
    await db.insert(
      'event_log',
      some.map((n) => ({
        ...{ project_id: projectOf(n), position: n, event_id: idOf(n), origin: 'live' },
        replay_id: Math.floor(n / 2) % Math.floor(EVENTS / 2 / REPLAYS) === 0 ? 'r' : null,
      })),
    );
    await db.insert(
      'event_payloads',
      some.map((n) => ({ event_id: idOf(n), data: '{}' })),
    );
    await db.insert(
      'event_postings',
      some.map((n) => ({
        ...{ project_id: projectOf(n), fact: statusFact('processed'), newest_id: idOf(n) },
        event_ids: idOf(n).slice(13),
      })),
    );
  }
}

test('Postgres reads the rows that are named, with and without statistics', async () => {
  const planning = await openPlanning();
  await fill(planning.db);
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await planning.client.query('analyze');
    for (const [name, sql, values, events, log] of ASKED) {
      await planning.client.query('begin');
      for (const read of await rowsRead(planning, [name, sql, values])) {
        const { events: ofEvents = 0, event_log: ofLog = 0, event_postings: ofFacts = 0 } = read;
        expect([name, isAnalyzed, ofEvents <= events, read]).toEqual([name, isAnalyzed, true, read]);
        expect([name, isAnalyzed, ofLog <= log, read]).toEqual([name, isAnalyzed, true, read]);
        expect(ofFacts, name).toBeLessThanOrEqual(1_000);
      }
      await planning.client.query('rollback');
    }
  }
});

describe('SQLite', () => {
  const [sqlite] = databases();

  test('searches the rows that are named by their keys', async () => {
    const db = await sqlite!.open();
    await db.get('select count(*) as n from events');
    for (const [name, sql, values] of ASKED) {
      const plan = await sqlitePlan(db, [name, sql, values]);
      const bad = plan.filter(
        (step) =>
          /^SCAN (?:events|e|event_log|l|p|event_postings)\b(?! USING COVERING INDEX events_received)/.test(
            step,
          ) ||
          /^SEARCH (?:events|e|event_log|l)\b.*\(project_id=\?\)$/.test(
            step.replace(/.*(?:events_received|log_of_replay).*/, ''),
          ),
      );
      expect([name, bad]).toEqual([name, []]);
    }
  });

  /** The deliveries under way of one project: at most as many as slots. */
  const SMALL = 'SEARCH leased ';

  // It makes one where it begins with the wrong table, which may have any number of rows.
  test('makes no index of its own for any statement', async () => {
    const db = await sqlite!.open();
    await db.get('select count(*) as n from events');
    const files = filesUnder(join(import.meta.dirname, '../../src')).filter((file) =>
      /\/(?:statements|library|backlog)\.ts$/.test(file),
    );
    const modules = await Promise.all(
      files.map(async (file) => ({
        file,
        exported: (await import(file)) as Readonly<Record<string, unknown>>,
      })),
    );
    const statements = modules.flatMap(({ file, exported }) =>
      Object.entries(exported).flatMap(([name, value]) => {
        const sql = typeof value === 'string' ? value : (value as { readonly sqlite?: unknown }).sqlite;
        return typeof sql === 'string' && /^(?:select|with|insert|update|delete)\b/.test(sql)
          ? [{ name: `${name} of ${file}`, sql }]
          : [];
      }),
    );
    expect(statements.length).toBeGreaterThan(150);
    const bad: string[] = [];
    for (const { name, sql } of statements) {
      const numbers = Array.from(sql.matchAll(/\$(\d+)/g), ([, n]) => Number(n));
      const values = Array.from({ length: Math.max(0, ...numbers) }, () => null);
      const plan = await sqlitePlan(db, [name, sql, values]);
      const made = plan.filter((step) => step.includes('AUTOMATIC') && !step.startsWith(SMALL));
      bad.push(...made.map((step) => `${name}: ${step}`));
    }
    expect(bad).toEqual([]);
  });
});
