/** The live tail: all that is decided, in the order of commits, to everybody who may read. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import type { EventPage } from '../../src/events/routes.js';
import { SELECT_BATCH_HEADS } from '../../src/events/statements.js';
import { BATCH_SLOTS, decidedBatch, REPLACE_OLDEST } from '../../src/stored/decided-batch.js';
import { firstEventIdAt, newId } from '../../src/ids.js';
import { createKeys } from '../../src/keys/keys.js';
import { databases } from '../db/databases.js';
import { type MountedParts, mountEvents } from './app.js';
import { decideEvents, storeAll, type StoredEvent, storeEvents, storeProject } from './stored.js';
import { readTail } from './tail-reader.js';

let at = 1_700_000_000_000;
const nextId = (): string => firstEventIdAt(++at);

const decided = (project: string, more: Partial<StoredEvent> = {}): StoredEvent => ({
  ...{ id: nextId(), project, status: 'processed', type: 'a', channel: null },
  ...{ tags: [], rules: [], endpoints: [] },
  ...more,
});

/** A host whose tails end with the test. */
function mount(db: Database, parts: MountedParts = {}) {
  const { app, events } = mountEvents(db, parts);
  onTestFinished(() => events.stop());
  const open = (project: string, query = '', headers: Record<string, string> = {}) =>
    app.request(`http://host/projects/${project}/tail${query}`, { headers });
  const tail = async (project: string, query = '', headers: Record<string, string> = {}) => {
    const response = await open(project, query, headers);
    expect(response.status).toBe(200);
    return readTail(response);
  };
  const list = async (project: string, query = '') => {
    const response = await app.request(`http://host/projects/${project}/events${query}`);
    return (await response.json()) as EventPage;
  };
  return { open, tail, list, events };
}

const idsOf = (events: readonly StoredEvent[]): string[] => events.map(({ id }) => id);

/** Resolves once notices arrive. A connection that begins to listen is told that it may have missed some. */
async function listening(db: Database): Promise<void> {
  const notice = newId(2);
  let isHeard = false;
  onTestFinished(db.listen('events', (project) => void (isHeard ||= project === notice)));
  await expect.poll(() => db.notify('events', notice).then(() => isHeard)).toBe(true);
}

/** As deciding does after a commit. */
async function decideAndTell(db: Database, events: readonly StoredEvent[]): Promise<void> {
  await storeAll(db, events);
  await db.notify('events', events[0]!.project);
}

describe.each(databases())('$name', ({ open, create }) => {
  test('shows each decided event that matches the filter once, in the order of commits, however often the reader reconnects', async () => {
    const db = await open();
    const { tail } = mount(db);
    const shape = fc.record({
      status: fc.constantFrom('processed', 'dropped'),
      tags: fc.subarray(['x', 'y']),
    });
    const actions = fc.array(
      fc.oneof(fc.constant('reconnect' as const), fc.array(shape, { minLength: 1, maxLength: 4 })),
      { maxLength: 8 },
    );
    const filters = fc.constantFrom('', '?tag=x', '?status=dropped', '?status=dropped&tag=x&tag=y');
    await fc.assert(
      fc.asyncProperty(actions, filters, async (all, query) => {
        const project = await storeProject(db);
        const wanted = new URLSearchParams(query);
        const isWanted = ({ status, tags }: StoredEvent): boolean =>
          (!wanted.has('status') || status === wanted.get('status')) &&
          wanted.getAll('tag').every((tag) => tags.includes(tag));
        const right: string[] = [];
        const seen: string[] = [];
        let lastId: string | null = null;
        let reader = await tail(project, query);
        const leave = async (): Promise<void> => {
          await reader.leave();
          seen.push(...reader.ids());
          lastId = reader.lastId() ?? lastId;
        };
        for (const action of all) {
          if (action === 'reconnect') {
            // A reader that has seen nothing yet starts again with what is decided from then on.
            if (reader.lastId() === null && lastId === null && right.length > 0) {
              await expect.poll(() => reader.ids().length).toBeGreaterThan(0);
            }
            await leave();
            reader = await tail(project, query, lastId === null ? {} : { 'last-event-id': lastId });
          } else {
            const events = action.map((one) => decided(project, one));
            right.push(...idsOf(events.filter(isWanted)));
            await decideAndTell(db, events);
          }
        }
        await expect.poll(() => [...seen, ...reader.ids()]).toEqual(right);
        await leave();
      }),
      { numRuns: 10 },
    );
  });

  test('shows what another process decides, also when it is not told', async () => {
    const connect = create();
    const [db, other] = [await connect(), await connect()];
    const project = await storeProject(db);
    const reader = await mount(db).tail(project);
    const events = [decided(project), decided(project, { status: 'dropped' })];
    await storeAll(other, events);
    await expect.poll(() => reader.ids()).toEqual(idsOf(events));
  });

  test('misses nothing of a transaction that commits late', async () => {
    const connect = create();
    const [db, other] = [await connect(), await connect()];
    const project = await storeProject(db);
    const reader = await mount(db).tail(project);
    const [late, later] = [decided(project), decided(project)];
    await storeEvents(db, [late, later]);
    let commit = (): void => undefined;
    const waits = new Promise<void>((resolve) => (commit = resolve));
    let hasBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const first = other.transaction(async (tx) => {
      const head = await tx.get<{ batch_position: number }>(
        'update projects set batch_position = batch_position + 1 where id = $1 returning batch_position',
        [project],
      );
      await tx.insert(
        'decided_batches',
        [decidedBatch(project, head!.batch_position, [late.id])],
        REPLACE_OLDEST,
      );
      hasBegun();
      await waits;
    });
    await begun;
    const second = decideEvents(db, [later]);
    await db.notify('events', project);
    expect(reader.ids()).toEqual([]);
    commit();
    await Promise.all([first, second]);
    await expect.poll(() => reader.ids()).toEqual([late.id, later.id]);
  });

  test('a reader that does not read costs a bounded number of messages, and is told what it missed', async () => {
    const db = await open();
    const project = await storeProject(db);
    const { open: request } = mount(db);
    const response = await request(project);
    const all: string[] = [];
    for (let i = 0; i < 20; i++) {
      const events = Array.from({ length: 50 }, () => decided(project));
      all.push(...idsOf(events));
      await decideAndTell(db, events);
    }
    const witness = await mount(db).tail(project);
    const last = decided(project);
    await decideAndTell(db, [last]);
    await expect.poll(() => witness.ids()).toEqual([last.id]);
    const reader = readTail(response);
    all.push(last.id);
    const skipped = (): number =>
      reader.messages.reduce((sum, { event, data }) => sum + (event === 'skipped' ? data.count! : 0), 0);
    await expect.poll(() => reader.ids().length + skipped()).toBe(all.length);
    expect(reader.ids().length).toBeLessThan(300);
    expect(reader.ids()).toEqual(all.filter((id) => reader.ids().includes(id)));
    const next = decided(project);
    await decideAndTell(db, [next]);
    await expect.poll(() => reader.ids().at(-1)).toBe(next.id);
  });

  test('a reader that was away for longer than the ring reaches is told so, and goes on', async () => {
    const db = await open();
    const project = await storeProject(db);
    const { tail } = mount(db);
    const before = await tail(project);
    await decideAndTell(db, [decided(project)]);
    await expect.poll(() => before.ids().length).toBe(1);
    await before.leave();
    const events = [decided(project), decided(project)];
    await storeEvents(db, events);
    const positions = Array.from({ length: BATCH_SLOTS + 88 }, (_, i) => i + 2);
    await db.transaction(async (tx) => {
      for (const position of positions) {
        const ids = position >= BATCH_SLOTS + 88 ? [events[position % 2]!.id] : [];
        await tx.insert('decided_batches', [decidedBatch(project, position, ids)], REPLACE_OLDEST);
      }
      await tx.run('update projects set batch_position = $2 where id = $1', [project, positions.at(-1)!]);
    });
    const after = await tail(project, '', { 'last-event-id': before.lastId()! });
    await expect.poll(() => after.messages.length).toBe(3);
    expect(after.messages.map(({ event, data }) => (event === 'event' ? data.id : data.count))).toEqual([
      null,
      ...idsOf(events),
    ]);
  });

  test('a reader that left in the middle of a batch is sent the rest of it', async () => {
    const db = await open();
    const project = await storeProject(db);
    const { tail } = mount(db);
    const before = await tail(project);
    const events = [decided(project), decided(project), decided(project)];
    await decideAndTell(db, events);
    await expect.poll(() => before.ids().length).toBe(3);
    const [first] = before.messages;
    await before.leave();
    const after = await tail(project, '', { 'last-event-id': first!.id! });
    await expect.poll(() => after.ids()).toEqual(idsOf(events.slice(1)));
  });

  test.for(['x', '1', '1.2.3', '-1.0', '999999999999999.0', '1e3.0'])(
    'a last id of nobody, %s, begins with what is decided from now on',
    async (lastId) => {
      const db = await open();
      const project = await storeProject(db);
      await decideAndTell(db, [decided(project)]);
      const reader = await mount(db).tail(project, '', { 'last-event-id': lastId });
      const event = decided(project);
      await decideAndTell(db, [event]);
      await expect.poll(() => reader.ids()).toEqual([event.id]);
    },
  );

  test('beats tell how far a stream has come, and a list how far it goes: together they show what was missed', async () => {
    const db = await open();
    const project = await storeProject(db);
    const { tail, list } = mount(db);
    const before = await list(project);
    expect(before.tail_position).toBe(0);
    const [first, second] = [decided(project), decided(project)];
    await decideAndTell(db, [first]);
    const reader = await tail(project);
    await expect.poll(() => reader.beats.length).toBeGreaterThan(0);
    const [begin] = reader.beats as [number];
    expect(begin).toBeGreaterThan(before.tail_position!);
    const after = await list(project);
    expect(after).toMatchObject({ tail_position: begin, items: [{ id: first.id }] });
    await decideAndTell(db, [second]);
    await expect.poll(() => reader.beats.at(-1)).toBe(begin + 1);
    expect(reader.ids()).toEqual([second.id]);
    expect(await list(project, '?limit=1')).toMatchObject({ tail_position: begin + 1 });
    const { next } = await list(project, '?limit=1');
    expect(await list(project, `?limit=1&cursor=${next!}`)).toMatchObject({ tail_position: null });
  });

  test('a host that cannot read what is decided gives no sign of life', async () => {
    const db = await open();
    const project = await storeProject(db);
    let isAway = false;
    let refused = 0;
    const all: Database['all'] = async (sql, values) => {
      if (sql !== SELECT_BATCH_HEADS || !isAway) return db.all(sql, values);
      refused++;
      throw new Error('away');
    };
    const reader = await mount({ ...db, all }, { report: () => undefined }).tail(project);
    await expect.poll(() => reader.beats.length).toBeGreaterThan(1);
    isAway = true;
    await expect.poll(() => refused).toBeGreaterThan(0);
    const beats = reader.beats.length;
    await expect.poll(() => refused).toBeGreaterThan(1);
    expect(reader.beats.length).toBe(beats);
    isAway = false;
    await expect.poll(() => reader.beats.length).toBeGreaterThan(beats);
  });

  test('what is decided while a reader is let in is shown', async () => {
    const db = await open();
    const project = await storeProject(db);
    const event = decided(project);
    let reads = 0;
    const hooked: Database = {
      ...db,
      get: async (sql, values) => {
        // The head is read once for the answer, and once for what came meanwhile.
        if (sql === SELECT_BATCH_HEADS && ++reads === 2) await decideAndTell(db, [event]);
        return db.get(sql, values);
      },
    };
    const { tail } = mount(hooked);
    await listening(db);
    const reader = await tail(project);
    await expect.poll(() => reader.ids()).toEqual([event.id]);
    expect(reads).toBeGreaterThanOrEqual(2);
  });

  test('a project has fifty streams; one that ends makes room, and other projects have their own', async () => {
    const db = await open();
    const [project, other] = [await storeProject(db), await storeProject(db)];
    const { open: request, tail } = mount(db);
    const readers = await Promise.all(Array.from({ length: 50 }, () => tail(project)));
    expect((await request(project)).status).toBe(429);
    await tail(other);
    await readers[7]!.leave();
    await tail(project);
    expect((await request(project)).status).toBe(429);
  });

  test('a stream of another project, of a key that may not read, or with an unknown condition is refused', async () => {
    const db = await open();
    const [project, other] = [newId(1), newId(2)];
    const { open: request } = mount(db, {
      authenticate: (headers) =>
        Promise.resolve({
          ...{ project, actor: 'key:1', isSession: false },
          scopes: new Set([headers.get('x-scope') === 'read' ? 'read' : 'ingest'] as const),
        }),
    });
    expect((await request(other, '', { 'x-scope': 'read' })).status).toBe(404);
    expect((await request(project)).status).toBe(403);
    expect((await request(project, '?colour=red', { 'x-scope': 'read' })).status).toBe(400);
  });

  test('a stream ends when its key is revoked, in another process too, and all end when the service stops', async () => {
    const connect = create();
    const [db, other] = [await connect(), await connect()];
    const now = Date.now;
    const keys = createKeys({ db, now, adminKey: null, publicUrl: '' });
    onTestFinished(() => keys.stop());
    const project = await storeProject(db);
    const [revoked, kept] = [
      await keys.firstKey(db, project, 'admin'),
      await keys.firstKey(db, project, 'admin'),
    ];
    const { tail, open: request, events } = mount(db, { authenticate: keys.authenticate, now });
    const readers = await Promise.all(
      [revoked, kept].map((key) => tail(project, '', { authorization: `Bearer ${key}` })),
    );
    const open = { revoked: true, kept: true };
    void readers[0]!.ended.then(() => (open.revoked = false));
    void readers[1]!.ended.then(() => (open.kept = false));
    await other.run(
      'update api_keys set revoked_at = $1 where id = (select min(id) from api_keys where last_four = $2)',
      [now(), revoked.slice(-4)],
    );
    await readers[0]!.ended;
    expect(open).toEqual({ revoked: false, kept: true });
    expect((await request(project, '', { authorization: `Bearer ${revoked}` })).status).toBe(401);
    events.stop();
    await readers[1]!.ended;
  });
});
