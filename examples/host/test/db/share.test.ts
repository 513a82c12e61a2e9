/** A share of the connections: slow reads of the API leave connections to everything else. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { shareOf } from '../../src/db/share.js';
import { databases } from './databases.js';

describe.each(databases().slice(1))('$name', ({ open }) => {
  test('a burst of slow reads leaves connections to the rest of the process', async () => {
    const db = await open();
    const share = shareOf(db, 4);
    let ended = 0;
    // The pool of a test has eight connections: without the share these would hold all of them five times.
    const slow = Array.from({ length: 40 }, () =>
      share.get('select pg_sleep(0.2), $1', [randomUUID()]).finally(() => ended++),
    );
    await sleep(20);
    await db.ping();
    await db.transaction((tx) => tx.get('select 1'));
    expect(ended).toBeLessThan(10);
    await Promise.all(slow);
  });
});

test('one project never has all of a share', async () => {
  const waiting: { readonly project: string; readonly end: () => void }[] = [];
  const db = {
    all: (_: string, [project]: readonly string[]) =>
      new Promise<readonly never[]>((resolve) =>
        waiting.push({ project: project ?? '', end: () => resolve([]) }),
      ),
  } as unknown as Database;
  const share = shareOf(db, 4);
  const [busy, late] = [randomUUID(), randomUUID()];
  const reads = Array.from({ length: 10 }, () => share.all('select', [busy]));
  reads.push(share.all('select', [late]));
  await nextTurn();
  expect(waiting.map(({ project }) => project)).toEqual([busy, busy, busy, late]);
  while (waiting.length > 0) {
    waiting.shift()?.end();
    await nextTurn();
  }
  await Promise.all(reads);
});
