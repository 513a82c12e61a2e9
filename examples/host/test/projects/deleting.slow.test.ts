/** Deleting a project: it is gone at once, its rows go in the background, and other projects notice nothing. */
import { systemClock } from 'headgate/delivery';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { createRemoval, type Removal, SETTLE_MS } from '../../src/retention/removal.js';
import { allRows, type Estate, estateOn, OPERATOR_KEY } from '../api/estate.js';
import { databases } from '../db/databases.js';

const fail = (error: unknown): never => {
  throw error instanceof Error ? error : new Error(String(error));
};

/** The removal of a process whose clock is ahead of the system's. */
function removalAt(
  db: Database,
  aheadMs: number,
  ended: (project: string) => void = () => undefined,
): Removal {
  const now = (): number => Date.now() + aheadMs;
  const clock = {
    ...systemClock,
    now,
    at: (at: number, wake: () => void) => systemClock.at(at - aheadMs, wake),
  };
  return createRemoval({ db, clock, report: fail, ended });
}

/** Removes until nothing is left. */
async function removeAll(db: Database, aheadMs = 2 * SETTLE_MS): Promise<void> {
  const removal = removalAt(db, aheadMs);
  while (((await removal.remove()) ?? 1) > 0);
}

/** Rows of all tables, those of the library too, that have one of some texts. */
async function rowsWith(db: Database, texts: readonly string[]): Promise<readonly string[]> {
  const library = [
    ...(await db.all('select * from {deliveries}')),
    ...(await db.all('select * from {attempts}')),
  ];
  const rows = [...(await allRows(db)), ...library.map((row) => `library ${JSON.stringify(row)}`)];
  return rows.filter((row) => texts.some((text) => row.includes(text)));
}

const pathOf = ({ ours }: Estate): string => `/projects/${ours.ids.project}`;
const NAME = 'canary-ours-project';
const remove = (estate: Estate, key = estate.ours.keys.manage, name = NAME) =>
  estate.send('DELETE', `${pathOf(estate)}?name=${encodeURIComponent(name)}`, { key });
/** Rows that say that the project was deleted. */
const isNote = (row: string): boolean => row.startsWith('project_deletions ');

describe.each(databases())('deleting a project on $name', ({ open }) => {
  test('needs the scope manage of this project, and its name', async () => {
    const estate = await estateOn(await open());
    const { ours, theirs, db } = estate;
    const before = await allRows(db);
    const { status: opened, text } = await estate.send('POST', `${pathOf(estate)}/portal-links`, {
      key: ours.keys.manage,
      body: JSON.stringify({ role: 'owner' }),
    });
    expect(opened).toBe(201);
    const token = (JSON.parse(text) as { url: string }).url.split('token=')[1];
    const portal = { 'headgate-portal': '1', 'sec-fetch-site': 'same-origin' };
    const session = await estate.send('POST', '/session', {
      body: JSON.stringify({ token }),
      headers: portal,
    });
    const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
    const byPortal = { headers: { ...portal, cookie } };
    expect((await estate.send('GET', `${pathOf(estate)}/portal`, byPortal)).status).toBe(200);
    const after = await allRows(db);
    const path = `${pathOf(estate)}?name=${NAME}`;
    const refusals = [
      await estate.send('DELETE', path, byPortal),
      await estate.send('DELETE', path, { key: ours.keys.read }),
      await estate.send('DELETE', path, { key: ours.keys.ingest }),
      await estate.send('DELETE', path, { key: theirs.keys.all }),
      await estate.send('DELETE', pathOf(estate), { key: ours.keys.manage }),
      await remove(estate, ours.keys.manage, ''),
      await remove(estate, ours.keys.manage, NAME.toUpperCase()),
      await remove(estate, ours.keys.manage, `${NAME} `),
      await remove(estate, OPERATOR_KEY, 'canary-theirs-project'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 404, 400, 400, 400, 400, 400]);
    expect(refusals.at(-1)?.text).toContain('this is not the name of the project');
    expect(await allRows(db)).toEqual(after);
    expect(after.length).toBeGreaterThan(before.length);
  });

  test('says before what goes with it', async () => {
    const estate = await estateOn(await open());
    const { status, text } = await estate.send('GET', `${pathOf(estate)}/contents`, {
      key: estate.ours.keys.manage,
    });
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        ...{ events: 1, waiting_deliveries: 0, dead_letters: expect.any(Number), channels: 2, endpoints: 1 },
        ...{ rules: 1, event_types: 1, receivers: 1, clients: 1, keys: 5, sessions: 1 },
      },
    ]);
    for (const key of [estate.ours.keys.read, estate.ours.keys.ingest]) {
      expect((await estate.send('GET', `${pathOf(estate)}/contents`, { key })).status).toBe(403);
    }
  });

  test('closes every door at once', async () => {
    const estate = await estateOn(await open());
    const { ours, theirs, db } = estate;
    const [channel] = await db.all<{ address: string }>('select address from channels where id = $1', [
      ours.ids.channel ?? '',
    ]);
    const doors = async () => [
      (await estate.send('POST', `/in/${channel?.address}`, { body: '{}' })).status,
      (await estate.send('POST', `/receive/${ours.ids.token}`, { body: '{}' })).status,
      (await estate.send('GET', pathOf(estate), { key: ours.keys.all })).status,
      (await estate.send('GET', pathOf(estate), { headers: { cookie: ours.cookie } })).status,
      (await estate.send('GET', pathOf(estate), { key: OPERATOR_KEY })).status,
      (await estate.send('POST', '/session', { body: JSON.stringify({ key: ours.keys.all }) })).status,
    ];
    // The source of the channel refuses a request without its token.
    expect(await doors()).toEqual([401, 200, 200, 200, 200, 201]);
    const { status, text } = await remove(estate);
    expect([status, JSON.parse(text)]).toMatchObject([
      202,
      { project: ours.ids.project, name: NAME, removed: 0 },
    ]);
    await expect.poll(doors, { timeout: 20_000 }).toEqual([404, 404, 401, 401, 404, 401]);
    expect((await remove(estate, OPERATOR_KEY)).status).toBe(404);
    const theirPath = `/projects/${theirs.ids.project}`;
    expect((await estate.send('GET', theirPath, { key: theirs.keys.all })).status).toBe(200);
    const { items } = JSON.parse((await estate.send('GET', '/projects', { key: OPERATOR_KEY })).text) as {
      items: readonly { id: string }[];
    };
    expect(items.map(({ id }) => id)).toEqual([theirs.ids.project]);
  });

  test('leaves no row, except for a note for the operator, and none of another project is touched', async () => {
    const estate = await estateOn(await open());
    const { ours, theirs, db } = estate;
    const path = pathOf(estate);
    // Leftovers of deleted endpoints and rules go, too.
    const made = await estate.send('POST', `${path}/endpoints`, {
      key: ours.keys.manage,
      body: JSON.stringify({ url: 'http://127.0.0.1:9/gone' }),
    });
    const { id: gone } = JSON.parse(made.text) as { id: string };
    await estate.send('DELETE', `${path}/endpoints/${gone}`, { key: ours.keys.manage });
    const counted = { minute: 1, code: 'ok', attempts: 1, duration_ms: 1, slowest_ms: 1 };
    await db.insert('endpoint_minutes', [{ endpoint_id: gone, ...counted }]);
    await estate.send('DELETE', `${path}/rules/${ours.ids.rule}`, { key: ours.keys.manage });
    await db.insert('rule_minutes', [{ rule_id: ours.ids.rule ?? '', minute: 1, matched: 1 }]);
    const replay = { key: ours.keys.manage, body: '{"filter":{}}', headers: { 'idempotency-key': 'once' } };
    expect((await estate.send('POST', `${path}/replays`, replay)).status).toBe(202);
    const arrived = {
      body: '{}',
      headers: { 'x-token': 'canary-ours-source-token', 'idempotency-key': 'once' },
    };
    const [channel] = await db.all<{ address: string }>('select address from channels where id = $1', [
      ours.ids.channel ?? '',
    ]);
    expect((await estate.send('POST', `/in/${channel?.address}`, arrived)).status).toBe(202);
    const secret = { id: newId(1), owner_id: gone, sealed: '', created_at: 1, expires_at: null };
    await db.insert('signing_secrets', [{ ...secret, owner_id: ours.ids.endpoint ?? '' }]);

    const own = [...ours.own, gone];
    const others = await rowsWith(db, theirs.own);
    expect((await rowsWith(db, own)).length).toBeGreaterThan(50);
    await remove(estate);
    await removeAll(db);
    expect((await rowsWith(db, own)).filter((row) => !isNote(row))).toEqual([]);
    expect(await rowsWith(db, theirs.own)).toEqual(others);
    const listed = await estate.send('GET', '/project-deletions', { key: OPERATOR_KEY });
    const { items } = JSON.parse(listed.text) as { items: readonly { removed: number; ended_at: string }[] };
    expect(items).toEqual([
      {
        ...{ id: expect.any(String), project: ours.ids.project, name: NAME, deleted_at: expect.any(String) },
        ...{ deleted_by: expect.stringMatching(/^key:/), removed: expect.any(Number) },
        ended_at: expect.any(String),
      },
    ]);
    expect(items[0]?.removed).toBeGreaterThan(50);
    expect((await estate.send('GET', '/project-deletions', { key: theirs.keys.all })).status).toBe(404);
  });

  test('goes on after it was interrupted at any statement', async () => {
    const estate = await estateOn(await open());
    const { ours, theirs, db } = estate;
    const others = await rowsWith(db, theirs.own);
    await remove(estate);
    let isOver = false;
    let interruptions = 0;
    for (; !isOver; interruptions++) {
      // A process that dies keeps its lease: the next one comes when that has ended.
      const ahead = (interruptions + 2) * (SETTLE_MS + 1);
      const dying = interrupted(db, 9 * (interruptions + 1));
      const removal = removalAt(dying, ahead, () => (isOver = true));
      await removal.remove().catch((error: unknown) => expect(error).toBe(DIED));
      expect(interruptions).toBeLessThan(200);
    }
    expect(interruptions).toBeGreaterThan(5);
    expect((await rowsWith(db, ours.own)).filter((row) => !isNote(row))).toEqual([]);
    expect(await rowsWith(db, theirs.own)).toEqual(others);
  });

  test('keeps what leads to other rows until those that were under way have ended', async () => {
    const estate = await estateOn(await open());
    const { ours, db } = estate;
    await remove(estate);
    await removeAll(db, 0);
    const tables = async () => new Set((await rowsWith(db, ours.own)).map((row) => row.split(' ')[0]));
    const left = await tables();
    expect([...left].sort()).toEqual(expect.arrayContaining(['audit_log', 'channels', 'endpoints', 'rules']));
    expect([...left]).not.toContain('events');
    // A request that was under way stores an event.
    const late = {
      ...{ id: 'evt_01KXYZ00000000000000000000', project_id: ours.ids.project ?? '', type: 't' },
      ...{ status: 'received', received_at: 1, decide_at: 1, decide_failures: 0 },
    };
    await db.insert('events', [late]);
    await removeAll(db);
    expect([...(await tables())]).toEqual(['project_deletions']);
  });

  test('is done by one process at a time', async () => {
    const estate = await estateOn(await open());
    const { db } = estate;
    await remove(estate);
    const both = await Promise.all([0, 1].map(() => removalAt(db, 2 * SETTLE_MS).remove()));
    expect(both.filter((removed) => removed === null)).toHaveLength(1);
  });
});

const DIED = new Error('the process has died');

/** A database that a process uses until it dies, after some statements. */
function interrupted(db: Database, statements: number): Database {
  let left = statements;
  const dying =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      left-- > 0 ? work(...args) : Promise.reject(DIED);
  return { ...db, all: dying(db.all), run: dying(db.run), transaction: dying(db.transaction) } as Database;
}
