/** Sends events to a subject until all are recorded, and looks for the highest rate at which it keeps up. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sender } from './asked.js';
import type { Sent } from './load.js';
import type { Recorded, Subject } from './subjects.js';
import { percentile } from './table.js';
import { postgresCpu } from './whole.js';

/** The result of sending. */
export interface Run {
  /** Events a second: as sent, or recorded where they were sent as fast as possible. */
  readonly rate: number;
  /** Whether every event was taken, and recorded in time. */
  readonly isSustained: boolean;
  /** Seconds from when the last event was due, or answered, until everything was recorded. */
  readonly drained: number;
  readonly refused: number;
  /** How long the 202 took, in ms. */
  readonly p99: number;
  /** Processor time of the subject and of Postgres for each event, in µs. */
  readonly cpu: number;
  readonly postgres: number;
  /** The work of each process of the subject. */
  readonly shares: readonly Recorded[];
}

/** Deliveries of an event. */
export const ENDPOINTS = 2;
const LOOK_MS = 50;
/** For what is left to be recorded once all was sent; more than the longest overload of a search leaves. */
const PATIENCE_MS = 120_000;
/** The part of the time of sending that recording may take longer, and its bounds in seconds. */
const MARGIN = 0.03;
const MARGIN_BOUNDS = [0.3, 2] as const;

const difference = (after: readonly Recorded[], before: readonly Recorded[]): readonly Recorded[] =>
  after.map(({ decided, delivered }, i) => ({
    decided: decided - (before[i]?.decided ?? 0),
    delivered: delivered - (before[i]?.delivered ?? 0),
  }));

const total = (all: readonly Recorded[], member: keyof Recorded): number =>
  all.reduce((sum, one) => sum + one[member], 0);

/** Waits until as many events are decided and delivered as were accepted. */
async function whenRecorded(
  subject: Subject,
  before: readonly Recorded[],
  accepted: number,
): Promise<readonly Recorded[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const shares = difference(await subject.recorded(), before);
    const isDone = total(shares, 'decided') >= accepted && total(shares, 'delivered') >= accepted * ENDPOINTS;
    if (isDone) return shares;
    if (performance.now() > deadline) throw new Error(`${subject.name} has not recorded all that it took`);
    await sleep(LOOK_MS);
  }
}

async function run(subject: Subject, send: () => Promise<Sent>) {
  const before = await subject.recorded();
  const [own, postgres] = [subject.cpu(), await postgresCpu()];
  const sent = await send();
  const answered = performance.now();
  const shares = await whenRecorded(subject, before, sent.accepted);
  const recordedMs = performance.now() - answered;
  const { accepted, refused } = sent;
  return {
    ...{ ms: sent.ms, recordedMs, accepted, refused, shares, p99: percentile(sent.times, 0.99) },
    cpu: ((subject.cpu() - own) / accepted) * 1_000,
    postgres: (((await postgresCpu()) - postgres) / accepted) * 1_000,
  };
}

/** Events at a steady rate. */
export interface Steady {
  readonly rate: number;
  readonly seconds: number;
  readonly body: string;
  /** @defaultValue all of the subject */
  readonly addresses?: readonly string[];
}

/** Sends at a rate. The subject keeps up if little is left when the last event was due. */
export async function sendSteadily(
  subject: Subject,
  sender: Sender,
  { rate, seconds, body, addresses = subject.addresses }: Steady,
): Promise<Run> {
  const done = await run(subject, () => sender.send({ send: addresses, body, rate, seconds }));
  const drained = Math.max(0, done.ms + done.recordedMs - seconds * 1_000) / 1_000;
  const [least, most] = MARGIN_BOUNDS;
  const margin = Math.min(most, Math.max(least, seconds * MARGIN));
  return { ...done, rate, drained, isSustained: done.refused === 0 && drained <= margin };
}

/** Sends a number of events as fast as they are taken. Its rate is that at which they are recorded. */
export async function sendAtOnce(
  subject: Subject,
  sender: Sender,
  task: { readonly count: number; readonly connections: number; readonly body: string },
): Promise<Run> {
  const done = await run(subject, () => sender.send({ send: subject.addresses, ...task }));
  const rate = (done.accepted / (done.ms + done.recordedMs)) * 1_000;
  return { ...done, rate, drained: done.recordedMs / 1_000, isSustained: done.refused === 0 };
}

/** Two rates are as good as equal. */
const PRECISION = 1.08;
const STEP = 2;

/** A search for the highest rate that is sustained. */
export interface Search {
  /** The rate to try next; null once the highest is known. */
  next(): number | null;
  tell(rate: number, isSustained: boolean): void;
  /** The highest that was sustained. */
  readonly found: number;
}

/**
 * Raises the rate until it is too high, and then halves the interval. A rate is too high if it fails twice: others use
 * the machine, too.
 */
export function createSearch(from: number): Search {
  let [low, high] = [0, Infinity];
  let failed: number | null = null;
  return {
    next() {
      if (failed !== null) return failed;
      if (low === 0) return Math.round(high === Infinity ? from : high / STEP);
      if (high === Infinity) return Math.round(low * STEP);
      return high / low <= PRECISION ? null : Math.round((low + high) / 2);
    },
    tell(rate, isSustained) {
      const isFirst = failed === null;
      failed = null;
      if (isSustained) low = Math.max(low, rate);
      else if (isFirst) failed = rate;
      else high = Math.min(high, rate);
    },
    get found() {
      return low;
    },
  };
}
