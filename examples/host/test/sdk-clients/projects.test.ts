/** The edge of a project: SDK clients do not reach the events of another one. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { streamOn } from './world.js';

describe.each(databases())('$name', ({ open }) => {
  test('an event of another project is unknown, to begin at and to reply to', async () => {
    const db = await open();
    const [mine, other] = [await streamOn(db), await streamOn(db)];
    await mine.append(2);
    const [event] = await other.append(1);
    const lost = await mine.connect({ client: 'lost', from: event });
    await expect.poll(() => lost.frames.length).toBeGreaterThan(0);
    expect(lost.frames[0]).toMatchObject({ type: 'bye', code: 'unknown_from' });
    const client = await mine.connect({ client: 'billing' });
    await expect.poll(() => client.of('welcome').length).toBe(1);
    client.send({ type: 'reply', id: 'r1', event_id: event, payload: {} });
    await expect.poll(() => client.of('refused').length + client.of('replied').length).toBe(1);
    expect(client.of('refused')).toMatchObject([{ id: 'r1', code: 'unknown_event' }]);
    expect(await db.all('select id from replies')).toEqual([]);
  });
});
