/** Damaged rows in SQLite. */
import { describe, expect, test } from 'vitest';
import { newDelivery } from '../../../src/delivery/index.js';
import { damages, expectGoesOn, expectRecords, expectWaitsForBody } from '../damage.js';
import { connect, newPath, openStore } from './files.js';

function open() {
  const path = newPath();
  const store = openStore({ path });
  const host = connect(path);
  const damage = (column: string, sql: string): Promise<void> => {
    host.exec(`update headgate_deliveries set ${column} = ${sql} where id = 'evt_2:b'`);
    return Promise.resolve();
  };
  return { store, host, damage };
}

describe('one damaged row holds up no other', () => {
  const large = ['attempts', 'body_bytes'].map((column) => ({
    ...{ column, sql: '9223372036854775807', attempts: 0, isTold: column === 'attempts' },
  }));
  test.for([...damages, ...large])('$column is $sql', async (damage) => {
    await expectGoesOn(open(), damage);
  });

  test.for(damages)('while it is leased, $column becomes $sql', async (one) => {
    await expectRecords(open(), one);
  });

  test('a body that is gone', async () => {
    const opened = open();
    const { host } = opened;
    await expectWaitsForBody(opened.store, () => {
      host.exec(`create temp table kept as select * from headgate_bodies where event_id = 'evt_2';
        delete from headgate_bodies where event_id = 'evt_2'`);
      return Promise.resolve(() => {
        host.exec('insert into headgate_bodies select * from kept');
        return Promise.resolve();
      });
    });
  });

  test('an instant beyond all numbers of JavaScript is read by claims, and never comes', async () => {
    const { store, host } = open();
    const both = ['a', 'b'].map((endpoint) => newDelivery({ id: 'evt_1', type: 'x' }, endpoint, { at: 5 }));
    await store.enqueue([{ body: Buffer.from('x'), deliveries: both }]);
    host.exec("update headgate_deliveries set due_at = 9223372036854775807 where endpoint_id = 'b'");
    const { claims } = await store.claim({
      ...{ lease: 'l', at: 9, until: 99, limit: 9, perEndpoint: 9, inFlight: new Map() },
    });
    expect(claims.map(({ delivery }) => delivery.endpoint_id)).toEqual(['a']);
  });
});
