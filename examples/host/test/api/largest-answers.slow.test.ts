/** The largest answers of a project with thousands of rules that match every event, large events and large replies. */
import { describe, expect, test } from 'vitest';
import { PAGE_BYTES } from '../../src/api/page.js';
import type { Database } from '../../src/db/index.js';
import { newId } from '../../src/ids.js';
import { MOST_RULES } from '../../src/stored/decision.js';
import { databases } from '../db/databases.js';
import { hostOn } from '../world.js';

const RULES = 1_500;
const NAME = 'é'.repeat(200);
/** Most bytes of an answer about an event of 700 KB, which is shown as data, and within the request. */
const MOST_OF_EVENT = 4 * 1_048_576;

/** Rules that match every event: the first adds a tag, the last drops what has the type. */
const ruleOf = (priority: number) => ({
  name: `${priority} ${NAME}`.slice(0, 200),
  stage: 'deliver',
  match: { path: 'id', op: 'exists' },
  action: priority === RULES - 1 ? { type: 'drop' } : { type: 'tag', tags: [`tag ${priority % 50}`] },
  priority,
});

async function furnished(db: Database) {
  const host = await hostOn(db);
  const under = `/projects/${host.project}`;
  const rules = Array.from({ length: RULES }, (_, priority) => ruleOf(priority));
  const imported = await host.call('POST', `${under}/rules/import`, rules);
  expect(imported.json).toMatchObject({ imported: RULES });
  const channel = await host.channel();
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) {
    const sent = await host.send(channel.url, { i, text: 'x'.repeat(700_000) });
    ids.push(sent.json.id as string);
  }
  const isDecided = async (): Promise<boolean> =>
    ((await host.call('GET', `${under}/events?status=dropped`)).json.items as unknown[]).length ===
    ids.length;
  await expect.poll(isDecided, { timeout: 60_000 }).toBe(true);
  const [event = ''] = ids;
  for (let i = 0; i < 12; i++) {
    const id = newId(Date.now());
    const row = { id, project_id: host.project, event_id: event, client: '', reply_id: id, received_at: 1 };
    await db.insert('replies', [{ ...row, payload: JSON.stringify('y'.repeat(250_000)) }]);
  }
  const bounded = async (method: string, path: string, most: number, body?: unknown) => {
    const answer = await host.call(method, under + path, body);
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    expect.soft(Buffer.byteLength(answer.text), path).toBeLessThan(most);
    return answer.json;
  };
  return { ...host, under, event, bounded };
}

describe.each(databases())('the largest answers on $name', ({ open }) => {
  test('are bounded, and say what they leave out', { timeout: 240_000 }, async () => {
    const db = await open();
    const { bounded, event, project } = await furnished(db);
    const first = (await bounded('GET', '/rules?limit=1', 10_000)).items[0] as { readonly id: string };
    const whole = await bounded('GET', `/events/${event}`, MOST_OF_EVENT);
    expect(whole.decision.matched).toHaveLength(MOST_RULES);
    expect(whole.decision).toMatchObject({
      matched_count: RULES,
      dropped_by: { name: ruleOf(RULES - 1).name },
    });
    expect(whole.decision.matched[MOST_RULES - 1]).toMatchObject({ action: 'drop' });
    expect(whole.tags).toHaveLength(50);
    expect(whole.replies).toHaveLength(4);
    const list = await bounded('GET', '/events?limit=200', PAGE_BYTES + 10_000);
    expect(list.items[0]).toMatchObject({
      matched_count: RULES,
      dropped_by: { name: ruleOf(RULES - 1).name },
    });
    expect(list.items[0].matched).toHaveLength(100);
    const match = { path: 'id', op: 'exists' };
    await bounded('POST', '/events/search', PAGE_BYTES + 10_000, { match, limit: 200 });
    const edit = { window_hours: 1, rules: [ruleOf(0)] };
    const compared = await bounded('POST', '/comparisons', PAGE_BYTES + 10_000, edit);
    expect(compared.groups.would_be_delivered.events).toBe(4);
    for (const rule of [first.id, whole.decision.dropped_by.id as string]) {
      const found = await bounded('GET', `/events?rule=${rule}`, PAGE_BYTES + 10_000);
      expect(found.items.length).toBeGreaterThan(0);
    }
    const stored = await db.get<{ decision: number; facts: number }>(
      `select octet_length(decision) as decision,
        (select count(*) from event_postings where project_id = $2 and newest_id = $1) as facts from events where id = $1`,
      [event, project],
    );
    expect(stored?.decision).toBeLessThan(1_048_576);
    expect(stored?.facts).toBe(MOST_RULES + 50 + 3);
    // A rule that the decision does not have is counted as ever.
    const counts = async () =>
      (await db.all<{ matched: number }>('select matched from rule_counts')).map(({ matched }) => matched);
    await expect.poll(counts).toEqual(Array.from({ length: RULES }, () => 4));
    const explained = await bounded('GET', `/events/${event}/explanation?limit=200`, PAGE_BYTES + 1_048_576);
    expect(explained).toMatchObject({ recorded: { matched_count: RULES }, today: { matched_count: RULES } });
    expect(explained.today.matched).toHaveLength(MOST_RULES);
    expect(explained.items[0].matched_then).toBe(true);
    const transform = { type: 'transform', ops: [{ op: 'uppercase', path: 'data.body.text' }] };
    const tried = await bounded('POST', '/rules/try', 5 * 1_048_576, { match, action: transform, limit: 4 });
    const { items, left_out: leftOut } = tried as { items: readonly unknown[]; left_out: number };
    expect(items.length + leftOut).toBe(4);
    const dryRun = await bounded('POST', '/rules/dry-run', PAGE_BYTES + 100_000, {
      ...{ stage: 'deliver', match, windowHours: 1 },
      action: { type: 'drop' },
    });
    const samples = dryRun.samples as readonly { readonly data: unknown; readonly data_truncated?: true }[];
    expect(samples.map(({ data, data_truncated: isCut }) => [data === null, isCut === true])).toEqual([
      [false, false],
      [false, false],
      [true, true],
      [true, true],
    ]);
    await bounded('GET', '/audit?limit=200', PAGE_BYTES + 100_000);
    await bounded('GET', '/rules/analysis?limit=200', PAGE_BYTES + 1_048_576);
    await bounded('GET', '/events/paths', PAGE_BYTES);
  });
});
