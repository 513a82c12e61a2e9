/** A transport under hostile receivers holds no memory. */
import { expect, test } from 'vitest';
import { endure } from './endurance.js';
import { ending, hostileReceivers } from './table.js';

test(
  '10,000 hostile attempts leave no socket, no descriptor and no memory behind',
  { timeout: 900_000 },
  async () => {
    const { attempts, outcomes, before, after, bytesPerAttempt } = await endure(10_000);
    expect(attempts).toBeGreaterThanOrEqual(10_000);
    expect([...outcomes.keys()].sort()).toEqual([...kinds].sort());
    expect(after.handles).toEqual(before.handles);
    expect(after.descriptors ?? 0).toBeLessThanOrEqual(before.descriptors ?? 0);
    expect(bytesPerAttempt).toBeLessThan(128);
  },
);

/** Every way in which attempts of the table end. */
const kinds = new Set(hostileReceivers.flatMap(({ recorded }) => recorded.map(ending)));
