/** A project with very many events. */
import { expect } from 'vitest';
import { copyEvent } from './copies.js';
import type { PagesWorld } from './furnished.js';

/** @param world - On SQLite. */
export async function manyEvents(
  { db, project, call, channel, send }: PagesWorld,
  count: number,
): Promise<void> {
  const { url } = await channel({ name: 'Shop' });
  const { id } = (await send(url, { kind: 'order.created' })).json as { readonly id: string };
  const status = async () => (await call('GET', `/projects/${project}/events/${id}`)).json.status as string;
  await expect.poll(status).toBe('processed');
  expect(await copyEvent(db, id, count)).toBe(count);
}
