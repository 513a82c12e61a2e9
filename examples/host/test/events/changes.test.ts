/** New attempts and replies are reported to clients that watch the project. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Changed, createChanges, readChanges } from '../../src/events/changes.js';
import { databases } from '../db/databases.js';
import { mountEvents } from './app.js';
import { storeProject } from './stored.js';
import { readTail } from './tail-reader.js';

test('every change is told, each project by itself, in notifications that Postgres takes', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const step = fc.record({
    project: fc.constantFrom('p', 'q'),
    events: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 150 }),
    passMs: fc.constantFrom(0, 100, 1_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const told: { readonly project: string; readonly events: Changed }[] = [];
      const changes = createChanges((payload) => {
        expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
        told.push(readChanges(payload));
      });
      const added = new Map<string, Set<string>>([
        ['p', new Set()],
        ['q', new Set()],
      ]);
      for (const { project, events, passMs } of steps) {
        for (const n of events) {
          const event = `evt_${String(n).padStart(26, '0')}`;
          changes.add(project, event);
          added.get(project)!.add(event);
        }
        vi.advanceTimersByTime(passMs);
      }
      changes.stop();
      for (const [project, events] of added) {
        const own = told.filter((one) => one.project === project);
        const named = new Set(own.flatMap((one) => one.events ?? []));
        if (own.every((one) => one.events !== null)) expect(named).toEqual(events);
        for (const event of named) expect(events.has(event)).toBe(true);
        expect(own.length > 0).toBe(events.size > 0);
      }
      vi.advanceTimersByTime(10_000);
    }),
  );
});

test('a notification that stands for all that were missed names no project', () => {
  expect(readChanges('')).toEqual({ project: '', events: null });
});

describe.each(databases())('$name', ({ open: openDatabase }) => {
  test('the tail of a project reports its changes, and of no others', async () => {
    const db = await openDatabase();
    const { app, events } = mountEvents(db);
    onTestFinished(() => events.stop());
    const [own, other] = [await storeProject(db), await storeProject(db)];
    const open = async (project: string) =>
      readTail(await app.request(`http://host/projects/${project}/tail`));
    const [tail, otherTail] = [await open(own), await open(other)];
    const changes = createChanges((payload) => void db.notify('changes', payload));
    changes.add(own, 'evt_1');
    changes.add(own, 'evt_2');
    changes.add(own, 'evt_1');
    await expect.poll(() => tail.changed).toContainEqual(['evt_1', 'evt_2']);
    for (let n = 0; n < 1_000; n++) changes.add(own, `evt_${n}`);
    await expect.poll(() => tail.changed.at(-1)).toBeNull();
    // A listener of Postgres first hears that it may have missed something.
    expect(otherTail.changed.filter((events) => events !== null)).toEqual([]);
  });
});
