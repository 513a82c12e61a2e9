/**
 * How long lists and searches of events take, whichever conditions are combined: makes a million events in SQLite and
 * in Postgres, and asks for pages from the newest event on, from the middle, and from near the end. Then it searches
 * for one event among those of a week, and tries a rule that matches it on the same events.
 *
 *   npx tsx examples/host/bench/lists.ts [--smoke] [--events 1000000] [--only sqlite|postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../../test/postgres/start.js';
import { createApp } from '../src/api/app.js';
import type { Principal } from '../src/api/principal.js';
import { type Database, openDatabase } from '../src/db/index.js';
import { createEvents } from '../src/events/events.js';
import type { RunSearch } from '../src/events/search.js';
import { createSearches } from '../src/events/searches.js';
import { cursorAfter } from '../src/http/cursor.js';
import { timeOfEventId } from '../src/ids.js';
import { createTurns } from '../src/limits/turns.js';
import { createDryRuns } from '../src/rules/dry-run.js';
import { COMBINATIONS, idOf, PROJECT, storeMany } from './lists/data.js';

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    events: { type: 'string', default: '1000000' },
    only: { type: 'string' },
  },
});
const EVENTS = options.smoke ? 5_000 : Number(options.events);
const TARGET_MS = 100;
const REPETITIONS = 3;

type App = ReturnType<typeof createApp>;

const authenticate = (): Promise<Principal> =>
  Promise.resolve({ project: null, scopes: new Set(), actor: 'admin', isSession: false });
const failed = (error: unknown): void => {
  throw error;
};

const appOn = (db: Database, search: RunSearch): App =>
  createApp({
    routes: createEvents({
      ...{ db, now: Date.now, authenticate, report: failed },
      search,
    }).routes,
    authenticate,
    projectExists: () => Promise.resolve(true),
    served: () => undefined,
    now: Date.now,
    isStopping: () => false,
  });

interface Timed {
  readonly name: string;
  readonly ms: number;
  readonly items: number;
}

const PAGES = [
  { page: 'newest', before: null },
  { page: 'middle', before: 0.5 },
  { page: 'oldest', before: 0.02 },
] as const;

async function timed(app: App, name: string, path: string, init?: RequestInit): Promise<Timed> {
  const began = performance.now();
  const response = await app.request(`http://host/projects/${PROJECT}/${path}`, init);
  const { items } = (await response.json()) as { readonly items?: readonly unknown[] };
  const ms = performance.now() - began;
  if (items === undefined) throw new Error(`${name}: ${response.status}`);
  return { name, ms, items: items.length };
}

async function lists(app: App): Promise<Timed[]> {
  const all: Timed[] = [];
  for (const { name, query } of COMBINATIONS) {
    for (const { page, before } of PAGES) {
      const cursor = before === null ? '' : `&cursor=${cursorAfter([idOf(Math.floor(EVENTS * before))])}`;
      for (let i = 0; i < REPETITIONS; i++) {
        all.push(await timed(app, `${name} · ${page}`, `events?limit=50&${query}${cursor}`));
      }
    }
  }
  return all;
}

/** Conditions that no event meets, so that every call looks at as many as it may. */
const MATCHES = [
  { name: 'eq', match: { path: 'data.body.action', op: 'eq', value: 'none' } },
  { name: 'regex', match: { path: 'data.body.text', op: 'matches', value: 'x+y$' } },
  { name: 'raw', match: { path: 'raw_payload.body', op: 'contains', value: 'none' } },
] as const;
const FILTERS = [
  {},
  { tag: ['even'] },
  { status: 'dropped', tag: ['odd'] },
  { tag: ['even', 'odd'] },
  { tag: 'rare' },
] as const;

async function searches(app: App): Promise<Timed[]> {
  const all: Timed[] = [];
  for (const { name, match } of MATCHES) {
    for (const filter of FILTERS) {
      for (const { page, before } of PAGES) {
        const cursor = before === null ? {} : { cursor: cursorAfter([idOf(Math.floor(EVENTS * before))]) };
        const body = JSON.stringify({ match, ...filter, ...cursor });
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        for (let i = 0; i < REPETITIONS; i++) {
          all.push(await timed(app, `${name} ${JSON.stringify(filter)} · ${page}`, 'events/search', init));
        }
      }
    }
  }
  return all;
}

function report(title: string, all: readonly Timed[]): void {
  const sorted = all.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  const over = all.filter(({ ms }) => ms > TARGET_MS).length;
  process.stdout.write(
    `${title}: ${all.length} pages, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms; ${over} above ${TARGET_MS} ms\n` +
      '    the slowest by the best of three, since the machine may have much else to do:\n',
  );
  const best = new Map<string, Timed>();
  for (const one of all) {
    if (one.ms < (best.get(one.name)?.ms ?? Infinity)) best.set(one.name, one);
  }
  const worst = [...best.values()].sort((a, b) => b.ms - a.ms).slice(0, 8);
  for (const { name, ms, items } of worst) {
    process.stdout.write(
      `    ${ms.toFixed(1).padStart(7)} ms  ${String(items).padStart(3)} items  ${name}\n`,
    );
  }
}

const WEEK_HOURS = 168;

/** The time of a streamed search for one event of a week, and of a dry-run of a rule that matches it. */
async function needle(db: Database, app: App): Promise<string> {
  const now = timeOfEventId(idOf(EVENTS));
  const from = new Date(now - WEEK_HOURS * 3_600_000).toISOString();
  const match = { path: 'data.body.number', op: 'eq', value: EVENTS - 1 };
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const searched = async (): Promise<number> => {
    const body = JSON.stringify({ match, from, limit: 200 });
    const answer = await app.request(`http://host/projects/${PROJECT}/events/search`, {
      ...{ method: 'POST', headers, body },
    });
    const pages = (await answer.text()).matchAll(/^data: (.*)$/gm);
    return [...pages].reduce((sum, [, page]) => sum + (JSON.parse(page ?? '') as Scanned).scanned, 0);
  };
  const turns = createTurns({ ...{ atOnce: 1, ofProject: 1, waiting: 0, allWaiting: 0 }, of: 'dry-runs' });
  const dryRuns = createDryRuns({ db, now: () => now, turns, endpoints: () => Promise.resolve([]) });
  const tried = async (): Promise<number> => {
    const action = { type: 'tag', tags: ['found'] };
    const run = dryRuns.begin(PROJECT, { stage: 'deliver', match, action, windowHours: WEEK_HOURS });
    return (JSON.parse(await run({ signal: new AbortController().signal })) as Scanned).scanned;
  };
  const times: string[] = [];
  for (let i = 0; i < REPETITIONS; i++) {
    const [began, ofSearch] = [performance.now(), await searched()];
    const [between, ofDryRun] = [performance.now(), await tried()];
    const [search, dryRun] = [between - began, performance.now() - between];
    times.push(
      `${ofSearch} events searched in ${search.toFixed(0)} ms, ${ofDryRun} tried in ${dryRun.toFixed(0)} ms: ` +
        (search / dryRun).toFixed(2),
    );
  }
  return times.map((line) => `    ${line}\n`).join('');
}

interface Scanned {
  readonly scanned: number;
}

async function measure(name: string, db: Database): Promise<void> {
  const { search, stop } = createSearches(db.options);
  const app = appOn(db, search);
  report(`${name}, lists`, await lists(app));
  report(`${name}, searches`, await searches(app));
  process.stdout.write(`${name}, one event of a week:\n${await needle(db, app)}`);
  await stop();
}

async function store(name: string, db: Database): Promise<void> {
  const began = performance.now();
  await storeMany(db, EVENTS);
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  process.stdout.write(`${name}: ${EVENTS} events stored in ${seconds} s\n`);
}

async function sqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-lists-'));
  const db = await openDatabase({ sqlite: join(folder, 'host.db') });
  try {
    await store('SQLite', db);
    await measure('SQLite', db);
  } finally {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Once as a database is that nobody has analyzed yet, and once as it is after a while. */
async function postgres(): Promise<void> {
  const server = await startPostgres({ settings: { fsync: 'off', autovacuum: 'off' } });
  try {
    const db = await openDatabase({ postgres: server.url, connections: 4 });
    await store('Postgres', db);
    await measure('Postgres without statistics', db);
    await db.run('vacuum analyze');
    await measure('Postgres', db);
    await db.close();
  } finally {
    await server.stop();
  }
}

if (options.only !== 'postgres') await sqlite();
if (options.only !== 'sqlite') await postgres();
