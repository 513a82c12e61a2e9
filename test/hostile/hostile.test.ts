import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attempt, AttemptOutcome } from '../../src/delivery/index.js';
import { deliverToAll, SECRET } from './delivering.js';
import { ending, hostileReceivers, MARK } from './table.js';
import { openGrounds, type OpenGrounds, worldOn } from './world.js';

/** Milliseconds that an attempt is granted here, and how much later than that it may be recorded on a busy machine. */
const TIMEOUT_MS = 2_000;
const SLACK_MS = 1_000;

let grounds: OpenGrounds;
let attempts: readonly (readonly Attempt[])[] = [];

beforeAll(async () => {
  grounds = await openGrounds(200);
  const histories = await deliverToAll(worldOn(grounds), TIMEOUT_MS);
  attempts = histories.map((history) => history.attempts);
}, 30_000);
afterAll(() => grounds.close());

/** The outcome that ten seconds would have had. */
const atTenSeconds = (outcome: AttemptOutcome): AttemptOutcome =>
  outcome.ok ? outcome : { ...outcome, detail: outcome.detail.replace('within 2 s', 'within 10 s') };

const rows = hostileReceivers.map(({ does, how, recorded }, n) => {
  const name = how === undefined ? does : `${does} (${how})`;
  return [name, recorded.map(ending).join(', then '), { recorded, n }] as const;
});

describe('a receiver that', () => {
  test.for(rows)('%s: %s', ([, , { recorded, n }]) => {
    const made = attempts[n] ?? [];
    expect(made.map(({ outcome }) => atTenSeconds(outcome))).toEqual(recorded);
    expect(made.map(({ number }) => number)).toEqual(recorded.map((_, index) => index + 1));
    for (const { started_at, ended_at } of made) {
      expect(ended_at - started_at).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    }
  });
});

test('nobody was led anywhere by a redirect', () => {
  expect(hostileReceivers.filter(({ does }) => does.startsWith('redirects'))).toHaveLength(7);
  expect(grounds.trap.connections()).toBe(0);
});

test('no record holds what the receiver sent, an address, the secret, or a signature', () => {
  const records = JSON.stringify(attempts);
  expect(attempts.flat().length).toBeGreaterThan(hostileReceivers.length);
  const secrets = [MARK, MARK.toLowerCase(), '10.0.0.1', '127.0.0', 'fd00:', SECRET, 'v1=', 'ESMTP'];
  expect(secrets.filter((text) => records.includes(text))).toEqual([]);
});

test('every detail is a short sentence of plain words', () => {
  const details = attempts.flat().flatMap(({ outcome }) => (outcome.ok ? [] : [outcome.detail]));
  expect(details.length).toBeGreaterThan(50);
  for (const detail of details) expect(detail).toMatch(/^[a-z][\w ,;.:()/-]{15,110}$/);
});
