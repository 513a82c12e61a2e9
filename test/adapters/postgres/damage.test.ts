/** Damaged rows in Postgres. */
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { damages, expectGoesOn, expectRecords, expectWaitsForBody } from '../damage.js';
import { createFixture, type Fixture, quoted } from './schema.js';

let fixture: Fixture;
let table: string;
let bodies: string;
beforeAll(async () => {
  fixture = await createFixture();
  table = `${quoted(fixture.schema)}.deliveries`;
  bodies = `${quoted(fixture.schema)}.bodies`;
});
afterAll(() => fixture.close());
beforeEach(() => fixture.pool.query(`truncate ${table}, ${bodies}`));

const damage = async (column: string, sql: string): Promise<void> => {
  await fixture.pool.query(`update ${table} set ${column} = ${sql} where id = 'evt_2:b'`);
};

describe('one damaged row holds up no other', () => {
  test.for(damages)('$column is $sql', async (one) => {
    await expectGoesOn({ store: fixture.store, damage }, one);
  });

  test.for(damages)('while it is leased, $column becomes $sql', async (one) => {
    await expectRecords({ store: fixture.store, damage }, one);
  });

  test('a body that is gone', async () => {
    const { store, pool } = fixture;
    await expectWaitsForBody(store, async () => {
      const { rows } = await pool.query(`delete from ${bodies} where event_id = 'evt_2' returning *`);
      const { id, created_at, event_id, digest, bytes } = rows[0];
      return async () => {
        const text = `insert into ${bodies} (id, created_at, event_id, digest, bytes)
          overriding system value values ($1, $2, $3, $4, $5)`;
        await pool.query(text, [id, created_at, event_id, digest, bytes]);
      };
    });
  });
});
