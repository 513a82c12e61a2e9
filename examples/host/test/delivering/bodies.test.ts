/** The bodies of deliveries that are not stored: each attempt sends the same bytes as the first. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { hostOn, receiver, type Receiver } from '../world.js';

/** `JSON.parse` and `JSON.stringify` would change the blanks, the twenty digits and the escapes. */
const SENT = '{ "n": 12345678901234567890, "key": "sk_live_1", "text": "\\u00e9 \\ud800" }';
const TAG = {
  ...{ name: 'tags', stage: 'deliver', priority: 1, match: { path: 'data.body.key', op: 'exists' } },
  action: { type: 'tag', tags: ['urgent'] },
};
const REDACT = {
  ...{ name: 'redacts', stage: 'deliver', priority: 2, match: { path: 'data.body.key', op: 'exists' } },
  action: {
    type: 'transform',
    ops: [{ op: 'redact', path: 'data.body.key', regex: 'sk_.*', replace: '***' }],
  },
};

/** Waits until a receiver has got a number of deliveries, and returns their bodies. */
async function bodiesAt(one: Receiver, count: number): Promise<readonly string[]> {
  await expect.poll(() => one.got.length).toBe(count);
  return one.got.map(({ body }) => body);
}

describe.each(databases())('$name', ({ open }) => {
  test.for([
    { rules: 'a rule tags', all: [TAG] },
    { rules: 'a rule tags and another transforms', all: [TAG, REDACT] },
  ])('retries, redeliveries and replays carry what was sent first, if $rules', async ({ all }) => {
    const db = await open();
    const world = await hostOn(db);
    const { call, project, send } = world;
    const failing = await receiver(503);
    const policy = { retry_max_attempts: 2, retry_backoff_base_seconds: 1 };
    const endpoint = await world.endpoint(failing, policy);
    for (const rule of all) await call('POST', `/projects/${project}/rules`, rule);
    const { url } = await world.channel();
    const { id } = (await send(url, SENT)).json as { readonly id: string };
    const [first, retried] = await bodiesAt(failing, 2);
    expect(retried).toBe(first);
    expect(first).toContain(all.length === 1 ? SENT : '***');
    expect(first).toContain('"tags":["urgent"]');
    await expect
      .poll(async () => (await call('GET', `/projects/${project}/dead-letters`)).json.items.length)
      .toBe(1);

    failing.answer = 204;
    // From now on, nothing is tagged or changed.
    const { items } = (await call('GET', `/projects/${project}/rules`)).json;
    for (const rule of items) await call('DELETE', `/projects/${project}/rules/${rule.id}`);
    await call('POST', `/projects/${project}/dead-letters/redeliver`, { filter: {} });
    expect((await bodiesAt(failing, 3))[2]).toBe(first);
    await call('POST', `/projects/${project}/events/${id}/replay`, { endpoint_ids: [endpoint.id] });
    expect((await bodiesAt(failing, 4))[3]).toBe(first);
    await call('POST', `/projects/${project}/events/${id}/replay`, { rules: 'again' });
    const [again = ''] = (await bodiesAt(failing, 5)).slice(4);
    expect(again).toContain(SENT);
    expect(again).toContain('"tags":[]');
    const table = db.dialect === 'sqlite' ? 'headgate_bodies' : 'bodies';
    expect(await db.all(`select event_id from ${table}`)).toEqual([{ event_id: id }]);
  });
});
