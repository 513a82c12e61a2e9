/**
 * Lists and counts of deliveries read as many rows as they show, and those of the project under way, whatever there is
 * beside.
 */
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import {
  type DeliveryPageShape,
  SELECT_PROJECT_OF_DELIVERIES,
  selectDeliveryPage,
} from '../../src/delivering/statements.js';
import { SELECT_PENDING } from '../../src/endpoints/statements.js';
import { newId } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { insertDeliveries, type TestDelivery } from '../db/library-rows.js';
import { type Asked, openPlanning, rowsRead, sqlitePlan } from '../db/plan-reader.js';

const [PROJECT, ENDPOINT] = [newId(1), newId(2)];
const ROWS = 30_000;
const LIMIT = 51;
/** Under way, in the project and in others. */
const [OWN_LEASED, LEASED] = [100, 1_000];
/** Ranges of a page; each is merged with others, and may have given a row more. */
const RANGES = 8;

const SHAPES = (['project', 'endpoint'] as const).flatMap((by) =>
  ([null, 'pending', 'delivered', 'failed'] as const).flatMap((state) =>
    ([null, 'live', 'replay'] as const).map((origin): DeliveryPageShape => ({ by, state, origin })),
  ),
);
const pageOf = (shape: DeliveryPageShape): Asked => {
  const common = [LIMIT, Number.MAX_SAFE_INTEGER, 0, 0];
  const values = shape.by === 'project' ? [PROJECT, ...common] : [ENDPOINT, ...common, PROJECT];
  return [JSON.stringify(shape), selectDeliveryPage(shape), values];
};
const PENDING: Asked = [
  'pending',
  SELECT_PENDING,
  [JSON.stringify([{ id: ENDPOINT }, { id: 'none' }]), PROJECT],
];
const OWNERS = [ENDPOINT, 'deleted', 'none'].map((id): Asked => [
  `owner of ${id}`,
  SELECT_PROJECT_OF_DELIVERIES,
  [id, PROJECT],
]);

/** A project with one endpoint, all of whose deliveries are pending or delivered, half and half. */
async function fill(db: Database): Promise<void> {
  const delivery = (n: number): TestDelivery => ({
    ...{ id: `evt_${n}:e`, event_id: `evt_${n}`, project_id: PROJECT, endpoint_id: ENDPOINT, created_at: n },
    ...(n % 2 === 0 ? { state: 'pending', due_at: n } : { state: 'delivered', finished_at: n }),
  });
  const leased = (n: number): TestDelivery => ({
    ...{ id: `under_way_${n}`, event_id: 'evt', state: 'leased', due_at: n + 1, created_at: n },
    ...(n % 10 === 0
      ? { project_id: PROJECT, endpoint_id: ENDPOINT }
      : { project_id: newId(n), endpoint_id: n % 10 === 1 ? 'deleted' : newId(n) }),
  });
  for (let from = 0; from < ROWS; from += 10_000) {
    await insertDeliveries(
      db,
      db,
      Array.from({ length: 10_000 }, (_, n) => delivery(from + n)),
    );
  }
  await insertDeliveries(
    db,
    db,
    Array.from({ length: LEASED }, (_, n) => leased(n)),
  );
}

test('Postgres reads no more of a large project, with and without statistics', async () => {
  const planning = await openPlanning();
  await fill(planning.db);
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await planning.client.query('analyze');
    for (const shape of SHAPES) {
      const asked = pageOf(shape);
      for (const read of await rowsRead(planning, asked)) {
        expect(read.deliveries ?? 0, asked[0]).toBeLessThanOrEqual(RANGES * (LIMIT + 1) + OWN_LEASED);
      }
    }
    for (const read of await rowsRead(planning, PENDING)) {
      expect(read.deliveries, 'pending').toBeLessThanOrEqual(1_000 + OWN_LEASED);
    }
    for (const owner of OWNERS) {
      for (const read of await rowsRead(planning, owner)) {
        expect(read.deliveries ?? 0, owner[0]).toBeLessThanOrEqual(1 + OWN_LEASED);
      }
    }
  }
});

describe('SQLite', () => {
  const [sqlite] = databases();

  test('searches each range by the index of the project or of the endpoint, and what is under way by leases', async () => {
    const db = await sqlite!.open();
    await db.get('select count(*) as n from {deliveries}');
    for (const shape of SHAPES) {
      const plan = await sqlitePlan(db, pageOf(shape));
      const [leased, others] = [/USING INDEX headgate_leases \(due_at>\?\)/, `deliveries_of_${shape.by}`];
      const reads = plan.filter((step) => step.includes('headgate_deliveries'));
      const bad = reads.filter(
        (step) =>
          !leased.test(step) && !(step.includes(others) && step.includes('origin=? AND created_at>?')),
      );
      expect([shape, bad]).toEqual([shape, []]);
      expect(reads.filter((step) => leased.test(step))).toHaveLength(
        shape.state === null || shape.state === 'pending' ? 1 : 0,
      );
    }
    for (const asked of [PENDING, ...OWNERS]) {
      const plan = await sqlitePlan(db, asked);
      expect([asked[0], plan.filter((step) => step.startsWith('SCAN headgate_deliveries'))]).toEqual([
        asked[0],
        [],
      ]);
    }
  });
});
