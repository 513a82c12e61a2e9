/** Sums of minutes: an overview says the same before them and after them, however many processes make them. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/api/app.js';
import type { Principal } from '../../src/api/principal.js';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { createOverview } from '../../src/overview/overview.js';
import { LATENCY_COLUMNS } from '../../src/statistics/latency.js';
import { seedProject } from '../deciding/seed.js';
import { databases } from '../db/databases.js';

const MINUTE_MS = 60_000;
/** 17 minutes after an hour. */
const NOW = Date.UTC(2026, 0, 15, 12, 17, 30);
const THIS_MINUTE = Math.floor(NOW / MINUTE_MS);
const DAYS = 32;
const OPERATOR: Principal = { project: null, scopes: new Set(), actor: 'admin', isSession: false };

/** An overview of a process, at {@link NOW}. */
function mount(db: Database) {
  const report = (error: unknown): void => {
    throw error;
  };
  const overview = createOverview({
    ...{ db, reads: db, now: () => NOW, report },
    alerts: () => Promise.resolve([]),
  });
  const app = createApp({
    ...{ routes: overview.routes, now: () => NOW, isStopping: () => false, served: () => undefined },
    authenticate: () => Promise.resolve(OPERATOR),
    projectExists: () => Promise.resolve(true),
  });
  const ask = async (project: string, window: string): Promise<Record<string, unknown>> => {
    const request = new Request(`http://host.test/projects/${project}/overview?window=${window}`);
    return (await (await app.fetch(request)).json()) as Record<string, unknown>;
  };
  const asked = async (projects: readonly string[]) => {
    const answers: Record<string, unknown>[] = [];
    for (const project of projects) {
      for (const window of ['1h', '24h', '7d', '30d']) answers.push(await ask(project, window));
    }
    return answers;
  };
  return { overview, ask, asked };
}

/** An endpoint of a project, or a rule of it. */
async function make(db: Database, table: 'endpoints' | 'rules', project: string): Promise<string> {
  const id = newId(NOW);
  const common = { id, project_id: project, version: 1, created_at: 1, updated_at: 1 };
  const endpoint = { ...{ name: 'E', url: 'https://e.example', status: 'active' }, retry_max_attempts: 1 };
  const rule = { document: '{"name":"R"}', bytes: 12, priority: 1, enabled: 1, changed_in: 1 };
  await db.insert(table, [
    { ...common, ...(table === 'rules' ? rule : { ...endpoint, retry_backoff_base_seconds: 1 }) },
  ]);
  return id;
}

/** Every seventh minute of a month, and all minutes of the last three hours: each with other numbers. */
async function fill(db: Database, project: string, seed: number): Promise<void> {
  const endpoints = [await make(db, 'endpoints', project), await make(db, 'endpoints', project)];
  const rule = await make(db, 'rules', project);
  const minutes = Array.from({ length: DAYS * 1_440 }, (_, ago) => ago)
    .filter((ago) => ago < 180 || (ago + seed) % 7 === 0)
    .map((ago) => THIS_MINUTE - ago);
  const attemptsAt = (endpoint_id: string, minute: number, n: number) =>
    ['ok', 'http_status', 'given_up'].slice(0, 1 + (minute % 3)).map((code, i) => ({
      ...{ endpoint_id, minute, code, attempts: 20 + n, duration_ms: 100 * n, slowest_ms: 6_000 + n },
      ...Object.fromEntries(LATENCY_COLUMNS.map((column, at) => [column, (minute + at + i + n) % 3])),
    }));
  for (let from = 0; from < minutes.length; from += 1_000) {
    const some = minutes.slice(from, from + 1_000);
    await db.insert(
      'endpoint_minutes',
      some.flatMap((minute) => endpoints.flatMap((id, i) => attemptsAt(id, minute, seed + i))),
    );
    await db.insert(
      'rule_minutes',
      some.map((minute) => ({ rule_id: rule, minute, matched: 1 + (minute % 5) })),
    );
  }
  await db.insert('rule_counts', [
    { rule_id: rule, project_id: project, matched: 9, last_matched_at: NOW - 1 },
  ]);
}

describe.each(databases())('the sums of minutes in $name', ({ open }) => {
  test('change no answer, also if two processes make them at once', async () => {
    const db = await open();
    const projects = [await seedProject(db), await seedProject(db)];
    for (const [i, project] of projects.entries()) await fill(db, project, i + 1);
    const [one, other] = [mount(db), mount(db)];
    const before = await one.asked(projects);
    expect(new Set(before.map(({ delivered }) => delivered)).size).toBe(before.length);
    await Promise.all([one.overview.sum(), other.overview.sum()]);
    const sums = await db.get<{ n: number }>('select count(*) as n from attempt_spans');
    expect(sums?.n).toBeGreaterThan(2 * 3 * DAYS * 40);
    expect(await other.asked(projects)).toEqual(before);
    // Minutes that are summed are not read again.
    await db.run('update endpoint_minutes set attempts = 1000000 where minute < $1', [THIS_MINUTE - 60]);
    await db.run('update rule_minutes set matched = 1000000 where minute < $1', [THIS_MINUTE - 60]);
    expect(await one.asked(projects)).toEqual(before);
    const { before_minute } = (await db.get<{ before_minute: number }>('select * from summed_minutes'))!;
    expect(before_minute).toBe(THIS_MINUTE - 60);
  });

  test('are made by a running process, and end with it', async () => {
    const db = await open();
    const project = await seedProject(db);
    const endpoint = await make(db, 'endpoints', project);
    await db.insert('endpoint_minutes', [
      {
        ...{ endpoint_id: endpoint, minute: THIS_MINUTE - 61, code: 'ok' },
        ...{ attempts: 3, duration_ms: 1, slowest_ms: 1 },
      },
    ]);
    const { overview } = mount(db);
    overview.start();
    while ((await db.all('select * from attempt_spans')).length === 0) await wait(5);
    await overview.stop();
    expect(await db.all('select code, attempts from attempt_spans')).toEqual([{ code: 'ok', attempts: 3 }]);
  });
});
