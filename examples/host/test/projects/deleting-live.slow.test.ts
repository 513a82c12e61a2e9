/** A project is deleted while events stream in: another project loses none, and the host goes on after a restart. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SETTLE_MS } from '../../src/retention/removal.js';
import { databases } from '../db/databases.js';
import { ADMIN_KEY, hostOn, type HostWorld, receiver, worldOf } from '../world.js';

/** Sends events until it is told to stop; returns the statuses of the answers. */
function streaming({ send }: HostWorld, url: string): { stop: () => Promise<readonly number[]> } {
  let isOver = false;
  const statuses: number[] = [];
  const running = (async () => {
    for (let n = 0; !isOver; n++) {
      const answers = await Promise.all([0, 1, 2, 3].map((i) => send(url, { n: 4 * n + i })));
      statuses.push(...answers.map(({ status }) => status));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      return statuses;
    },
  };
}

/** An SDK client, by hand: the code with which it is closed. */
async function closedCode({ url, project, key }: HostWorld): Promise<{ readonly code: Promise<number> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/projects/${project}/stream`, ['headgate.v1'], {
    headers: { authorization: `Bearer ${key}` },
  });
  const code = new Promise<number>((resolve) => void socket.on('close', resolve));
  await new Promise((resolve, reject) => {
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'hello', key: null, client: 'c', from: null })),
    );
    socket.on('message', resolve);
    socket.on('error', reject);
  });
  return { code };
}

describe.each(databases())('on $name', ({ open }) => {
  test('events of others arrive, those of the project do not, and a restarted host removes the rest', async () => {
    const db = await open();
    let aheadMs = 0;
    const now = (): number => Date.now() + aheadMs;
    const theirs = await hostOn(db, {}, undefined, 0, { now });
    const ours = await worldOf(theirs);
    const [mine, other] = [await receiver(), await receiver()];
    const slow = await receiver(500);
    await theirs.endpoint(other);
    await ours.endpoint(mine);
    await ours.endpoint(slow, { retry_max_attempts: 9, retry_backoff_base_seconds: 1 });
    const [inTheirs, inOurs] = [await theirs.channel(), await ours.channel()];
    const client = await closedCode(ours);
    const [their, our] = [streaming(theirs, inTheirs.url), streaming(ours, inOurs.url)];
    await expect
      .poll(() => Math.min(mine.got.length, other.got.length), { timeout: 60_000 })
      .toBeGreaterThan(40);

    // Another process has the lease, and removes nothing yet: what was to be retried is there, and not sent.
    const lease = { name: 'project deletions', holder: 'another process', until: Date.now() + 600_000 };
    await db.insert('leases', [lease]);
    const deleted = await ours.call('DELETE', `/projects/${ours.project}?name=Test`, undefined);
    expect(deleted.status).toBe(202);
    expect(await client.code).toBe(4001);
    const refused = async () => (await ours.send(inOurs.url, {})).status;
    await expect.poll(refused, { timeout: 10_000 }).toBe(404);
    expect(new Set(await our.stop())).toEqual(new Set([202, 404]));
    // Attempts that were under way have ended.
    await sleep(1_500);
    const [got, retried] = [mine.got.length, slow.got.length];
    const gone = `select id from {deliveries} where project_id = $1 and failure = 'endpoint_gone'`;
    await expect
      .poll(async () => (await db.all(gone, [ours.project])).length, { timeout: 60_000 })
      .toBeGreaterThan(20);
    const before = other.got.length;
    await expect.poll(() => other.got.length, { timeout: 60_000 }).toBeGreaterThan(before + 40);

    // The host stops in the middle, and another one goes on.
    const statuses = await their.stop();
    expect(new Set(statuses)).toEqual(new Set([202]));
    await theirs.stop();
    await db.run('delete from leases where name = $1', [lease.name]);
    aheadMs = 2 * SETTLE_MS;
    const again = await hostOn(db, {}, undefined, 0, { now });
    const state = async () => {
      await db.notify('projects', '');
      const { json } = await again.call('GET', '/project-deletions', undefined, { key: ADMIN_KEY });
      return json.items[0] as { ended_at: string | null; removed: number };
    };
    await expect.poll(async () => (await state()).ended_at, { timeout: 120_000 }).not.toBeNull();
    expect((await state()).removed).toBeGreaterThan(100);
    expect([mine.got.length, slow.got.length]).toEqual([got, retried]);
    const left = await db.all('select project_id from events union all select project_id from {deliveries}');
    expect(new Set(left.map(({ project_id }) => project_id))).toEqual(new Set([theirs.project]));
    const arrived = () => new Set(other.got.map(({ event }) => event.id as string)).size;
    await expect.poll(arrived, { timeout: 60_000 }).toBe(statuses.length);
  });
});
