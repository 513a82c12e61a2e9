/** The overview of a project says what was sent, and the sums of minutes change nothing about it. */
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { hostOn, receiver } from '../world.js';

const WINDOWS = ['1h', '24h', '7d', '30d'] as const;

describe.each(databases())('the overview in $name', ({ open }) => {
  test('says what was sent, in every window', async () => {
    const world = await hostOn(await open());
    const { call, project } = world;
    const overview = async (window: string) =>
      (await call('GET', `/projects/${project}/overview?window=${window}`)).json;
    const { url } = await world.channel();
    await world.endpoint(await receiver(), { name: 'Answers' });
    const retries = await world.endpoint(await receiver(503), { name: 'Retries', retry_delays: [3_600] });
    const fails = await world.endpoint(await receiver(500), { name: 'Fails', retry_max_attempts: 1 });
    const rules: Record<string, string> = {};
    for (const [name, value, type] of [
      ['Drop pings', 'ping', 'drop'],
      ['Tag orders', 'order', 'tag'],
      ['Never', 'never', 'tag'],
    ] as const) {
      const made = await call('POST', `/projects/${project}/rules`, {
        ...{ name, stage: 'deliver', priority: 1, match: { path: 'data.body.kind', op: 'eq', value } },
        action: type === 'drop' ? { type } : { type, tags: ['t'] },
      });
      rules[name] = made.json.id as string;
    }
    const disabled = { name: 'Off', enabled: false, stage: 'deliver', priority: 1, action: { type: 'drop' } };
    await call('POST', `/projects/${project}/rules`, {
      ...disabled,
      match: { path: 'data.body.kind', op: 'eq', value: 'off' },
    });
    const empty = await overview('24h');
    expect(empty).toMatchObject({ processed: 0, delivered: 0, p95_ms: null, dead_letters: 0 });
    expect(empty.rules.unmatched).toMatchObject({ count: 3 });
    const before = Date.now();
    for (const kind of ['order', 'ping', 'order', 'order', 'ping']) await world.send(url, { kind });

    await expect
      .poll(async () => {
        const { delivered, retried, failed, rules: of, failing_endpoints: failing } = await overview('1h');
        return {
          delivered,
          retried,
          failed,
          matched: (of.matched as { matched: number }[]).map(({ matched }) => matched),
          failing: failing.count,
        };
      })
      .toEqual({ delivered: 3, retried: 3, failed: 3, matched: [3, 2], failing: 2 });
    for (const window of WINDOWS) {
      const found = await overview(window);
      expect(found).toMatchObject({
        ...{ processed: 3, dropped: 2, delivered: 3, retried: 3, failed: 3, dead_letters: 3 },
        backlog: { undecided: 0, pending: 3 },
        rules: {
          ...{ plan: 'scale', used: 4, limit: null },
          matched: [
            { id: rules['Tag orders'], name: 'Tag orders', matched: 3 },
            { id: rules['Drop pings'], name: 'Drop pings', matched: 2 },
          ],
          unmatched: { count: 1, items: [{ id: rules.Never, name: 'Never', last_matched_at: null }] },
        },
      });
      expect(found.p50_ms).toBeGreaterThanOrEqual(0);
      expect(found.p95_ms).toBeGreaterThanOrEqual(found.p50_ms as number);
      const oldest = Date.parse(found.backlog.oldest_pending_at as string);
      expect(oldest).toBeGreaterThanOrEqual(before);
      expect(oldest).toBeLessThanOrEqual(Date.now());
      const failures = [{ code: 'http_status', attempts: 3 }];
      const items = found.failing_endpoints.items as { readonly id: string }[];
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set([retries.id, fails.id]));
      expect(items).toMatchObject([{ failures }, { failures }]);
      const sum = (name: string): number =>
        (found.series as Record<string, number>[]).reduce((all, one) => all + (one[name] ?? NaN), 0);
      expect(['processed', 'dropped', 'delivered', 'retried', 'failed'].map(sum)).toEqual([3, 2, 3, 3, 3]);
      const width = found.bucket_seconds * 1_000;
      expect(Date.parse(found.to as string) - Date.parse(found.from as string)).toBe(
        found.series.length * width,
      );
    }

    const attention = async () => (await call('GET', `/projects/${project}/attention`)).json;
    await expect.poll(attention).toEqual({ alerts: 1, failing_endpoints: 2, dead_letters: 3 });
    expect((await overview('1h')).alerts).toMatchObject({
      count: 1,
      items: [{ kind: 'headgate.dead_letters.growing' }],
    });
    await call('POST', `/projects/${project}/alerts/dismiss`);
    expect((await overview('1h')).alerts).toEqual({ count: 0, items: [] });
    expect((await call('GET', `/projects/${project}/overview?window=2h`)).status).toBe(400);
  });
});
