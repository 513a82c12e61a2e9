/** Decided events by minute and status, and the types and tags that there are. */
import { describe, expect, test } from 'vitest';
import { createEventIds } from '../../src/ids.js';
import { databases } from '../db/databases.js';
import { mountEvents } from './app.js';
import { storeAll, storeProject, type StoredEvent } from './stored.js';

const newEventId = createEventIds();

const MINUTE_MS = 60_000;
/** Half past an hour. */
const NOW = Date.UTC(2026, 0, 15, 12, 30, 30);
const THIS_MINUTE = Math.floor(NOW / MINUTE_MS);

describe.each(databases())('the counts of events in $name', ({ open }) => {
  test('are those of the project, by the time received', async () => {
    const db = await open();
    const [project, other] = [await storeProject(db), await storeProject(db)];
    const { app } = mountEvents(db, { now: () => NOW });
    const rows = [
      [project, 0, 'processed', 1],
      [project, 0, 'dropped', 2],
      [project, -59, 'processed', 4],
      [project, -60, 'processed', 8],
      [project, 1_000, 'processed', 16],
      [other, 0, 'processed', 1_000],
    ] as const;
    await db.insert(
      'event_minutes',
      rows.map(([project_id, ago, status, events]) => ({
        ...{ project_id, minute: THIS_MINUTE + ago, status, events },
      })),
    );
    const series = async (query: string) => {
      const response = await app.fetch(
        new Request(`http://host.test/projects/${project}/events/series${query}`),
      );
      return (await response.json()) as {
        readonly series: readonly { at: string; processed: number; dropped: number }[];
      };
    };
    const hour = await series('?period=hour');
    expect(hour).toMatchObject({
      ...{ from: '2026-01-15T11:31:00.000Z', to: '2026-01-15T12:31:00.000Z', bucket_seconds: 60 },
      ...{ processed: 5, dropped: 2 },
    });
    expect(hour.series).toHaveLength(60);
    expect(hour.series.at(-1)).toEqual({ at: '2026-01-15T12:30:00.000Z', processed: 1, dropped: 2 });
    expect(hour.series[0]).toEqual({ at: '2026-01-15T11:31:00.000Z', processed: 4, dropped: 0 });
    const day = await series('');
    expect(day).toMatchObject({ processed: 13, dropped: 2, bucket_seconds: 1_800 });
    expect(day.series.at(-1)).toMatchObject({ at: '2026-01-15T12:30:00.000Z', processed: 1 });
  });

  test('types and tags are those of the project, each once, from a text on', async () => {
    const db = await open();
    const [project, other] = [await storeProject(db), await storeProject(db)];
    const { app } = mountEvents(db);
    const event = (of: string, type: string, tags: readonly string[]): StoredEvent => ({
      ...{ id: newEventId(NOW), project: of, status: 'processed', channel: null, rules: [], endpoints: [] },
      ...{ type, tags },
    });
    await storeAll(db, [
      event(project, 'order.paid', ['b', 'a "quoted"', 'ü\0']),
      event(project, 'order.paid', ['b']),
      event(project, 'order.made', []),
      event(project, 'refund', []),
      event(other, 'order.theirs', ['theirs']),
    ]);
    const values = async (query: string): Promise<unknown> => {
      const response = await app.fetch(
        new Request(`http://host.test/projects/${project}/events/values?${query}`),
      );
      return ((await response.json()) as { items: unknown }).items;
    };
    expect(await values('of=type')).toEqual(['order.made', 'order.paid', 'refund']);
    expect(await values('of=type&limit=2')).toEqual(['order.made', 'order.paid']);
    expect(await values('of=type&prefix=order.p')).toEqual(['order.paid']);
    expect(await values('of=type&prefix=%22')).toEqual([]);
    expect(await values('of=tag')).toEqual(['a "quoted"', 'b', 'ü\0']);
    expect(await values('of=tag&prefix=a%20%22')).toEqual(['a "quoted"']);
  });
});
