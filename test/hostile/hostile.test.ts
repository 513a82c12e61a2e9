/** Every hostile receiver, and the record that its delivery gets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Attempt, ATTEMPT_TIMEOUT_MS, type AttemptOutcome } from '../../src/delivery/index.js';
import { deliverToAll, SECRET } from './delivering.js';
import { ending, hostileReceivers, MARK } from './table.js';
import { type HostileEndpoint, openGrounds, type OpenGrounds, type World, worldOn } from './world.js';

/** Milliseconds that are granted to receivers which never come to an end. The others get all the time that there is. */
const TIMEOUT_MS = 4_000;
/** Sixteen pieces at this pace take longer than that. */
const PACE_MS = 400;
/** How much later an attempt may be recorded on a busy machine. */
const LATE_MS = 30_000;
/** Attempts at one time that must not be too late. */
const FEW = 8;

let grounds: OpenGrounds;
let attempts: readonly (readonly Attempt[])[] = [];

const isEndless = ({ row }: HostileEndpoint): boolean =>
  row.recorded.some((outcome) => !outcome.ok && outcome.failure === 'timeout');

beforeAll(async () => {
  grounds = await openGrounds(PACE_MS);
  // Each part has a resolver of its own: one that has met a quick server waits less for its next answer.
  const part = (wanted: boolean): World => {
    const world = worldOn(grounds);
    return { ...world, endpoints: world.endpoints.filter((endpoint) => isEndless(endpoint) === wanted) };
  };
  const ended = await deliverToAll(part(false), ATTEMPT_TIMEOUT_MS, FEW);
  const endless = await deliverToAll(part(true), TIMEOUT_MS);
  const byEndpoint = new Map([...ended, ...endless].map((one) => [one.delivery.endpoint_id, one.attempts]));
  attempts = worldOn(grounds).endpoints.map(({ id }) => byEndpoint.get(id) ?? []);
});
afterAll(() => grounds.close());

/** The outcome that ten seconds would have had. */
const atTenSeconds = (outcome: AttemptOutcome): AttemptOutcome =>
  outcome.ok ? outcome : { ...outcome, detail: outcome.detail.replace('within 4 s', 'within 10 s') };

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
      expect(ended_at - started_at).toBeLessThan(ATTEMPT_TIMEOUT_MS + LATE_MS);
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
