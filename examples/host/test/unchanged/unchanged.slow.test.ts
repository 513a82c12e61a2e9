/**
 * With every option at its default the host behaves as it did before publishing, topics, order and stars in paths:
 * `before.json` was recorded then. `WRITE=1` records it again, which only a commit from before may do.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, test } from 'vitest';
import { databases } from '../db/databases.js';
import { record, type Recording } from './recording.js';

const PATH = join(import.meta.dirname, 'before.json');

/** Members that were added since, wherever they are; everything else is as it was. */
const ADDED: ReadonlySet<string> = new Set([
  ...['topic', 'topics', 'topic_path', 'type', 'ordering', 'on_exhausted', 'ordering_path', 'ordering_key'],
  ...[
    'retry_delays',
    'signature',
    'headers',
    'secret',
    'is_present',
    'element',
    'purpose',
    'exchange',
    'outcome',
  ],
  ...['created_by_name', 'order', 'waiting_behind'],
]);

const DEAD_LETTERS = 'GET dead-letters';

/** Sorts the dead letters by their ids: deliveries of several events fail at about the same time. */
function withSortedLetters(recording: Recording): Recording {
  const [status, page] = recording[DEAD_LETTERS] as [
    number,
    { readonly items: readonly { readonly id: string }[] },
  ];
  const items = page.items.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { ...recording, [DEAD_LETTERS]: [status, { ...page, items }] };
}

/** The differences between what was recorded before and what is now, as pointers. */
function differences(before: unknown, now: unknown, pointer = ''): readonly string[] {
  if (typeof before !== 'object' || before === null || typeof now !== 'object' || now === null) {
    return Object.is(before, now)
      ? []
      : [`${pointer}: ${JSON.stringify(before)} is now ${JSON.stringify(now)}`];
  }
  const [then, today] = [before, now] as readonly Readonly<Record<string, unknown>>[];
  const added = Object.keys(now).filter((name) => !Object.hasOwn(before, name) && !ADDED.has(name));
  return [
    ...added.map((name) => `${pointer}/${name} is new`),
    ...Object.keys(before).flatMap((name) => differences(then?.[name], today?.[name], `${pointer}/${name}`)),
  ];
}

describe.each(databases())('$name', ({ open }) => {
  test('callers, receivers and SDK clients see what they saw', { timeout: 60_000 }, async () => {
    const now = await record(await open());
    if (env.WRITE === '1') writeFileSync(PATH, `${JSON.stringify(now, null, 2)}\n`);
    const before = JSON.parse(readFileSync(PATH, 'utf8')) as Recording;
    expect(Object.keys(before).length).toBeGreaterThan(30);
    expect(differences(withSortedLetters(before), withSortedLetters(now))).toEqual([]);
  });
});
