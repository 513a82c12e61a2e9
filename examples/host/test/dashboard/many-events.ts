/** Very many events in no time: copies of one that came in, written straight into the database. */
import { expect } from 'vitest';
import type { PagesWorld } from './furnished.js';

const COLUMNS = `project_id, channel_id, type, status, received_at, decide_at, decide_failures, decided_at, rules_version,
  dropped_by, tags, decision`;

/** Ids that sort by their number, and are older than that of the event that is copied. */
const COPY = `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < $2)
  insert into events (id, ${COLUMNS})
  select 'evt_' || substr(events.id, 5, 9) || '0' || printf('%016d', numbers.i), ${COLUMNS}
  from numbers, events where events.id = $1`;

/** @param world - On SQLite. */
export async function manyEvents(
  { db, project, call, channel, send }: PagesWorld,
  count: number,
): Promise<void> {
  const { url } = await channel({ name: 'Shop' });
  const { id } = (await send(url, { kind: 'order.created' })).json as { readonly id: string };
  const status = async () => (await call('GET', `/projects/${project}/events/${id}`)).json.status as string;
  await expect.poll(status).toBe('processed');
  expect(await db.run(COPY, [id, count])).toBe(count);
}
