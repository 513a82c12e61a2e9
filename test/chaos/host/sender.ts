/** The source of the events: sends each until it is answered, with one Idempotency-Key. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.js';

/** The results of the sending; they grow while it goes on. */
export interface Sent {
  /** Ids that were answered, by the number of the event. */
  readonly ids: Map<number, string>;
  /** Answers and failures, counted by the status or `none`. */
  readonly answers: Map<string, number>;
  /** Unix ms of the answers with 202. */
  readonly takenAt: number[];
  readonly faults: string[];
}

/** A sending that goes on. */
export interface Sending extends Sent {
  /** Resolves when every event has been answered with 202, or nobody waits any longer. */
  readonly done: Promise<void>;
}

const AT_ONCE = 24;
const TIMEOUT_MS = 10_000;
const RETRY_MS = 150;
/** An event that nobody takes for so long is a fault. */
const PATIENCE_MS = 180_000;

const TYPES = ['order', 'refund', 'note'];
const bodyOf = (n: number): string =>
  JSON.stringify({
    n,
    type: TYPES[n % TYPES.length],
    amount: (n * 37) % 100,
    buyer: { name: `Buyer ${n}`, email: `buyer-${n}@example.com` },
    note: 'x'.repeat(300),
  });

/** @param perSecond - Events that begin in a second, unless too many wait for their answer. */
export function send(
  services: readonly Service[],
  path: string,
  { events, perSecond }: { readonly events: number; readonly perSecond: number },
): Sending {
  const sent: Sent = { ids: new Map(), answers: new Map(), takenAt: [], faults: [] };
  const began = Date.now();
  const waiting = Array.from({ length: events }, (_, n) => n).values();
  let turn = 0;
  const runner = async (): Promise<void> => {
    for (const n of waiting) {
      await sleep(Math.max(0, began + (n * 1_000) / perSecond - Date.now()));
      const deadline = Date.now() + PATIENCE_MS;
      while (!(await sendOnce(sent, services[turn++ % services.length]?.url ?? '', path, n))) {
        if (Date.now() > deadline) throw new Error(`event ${n} was not taken in ${PATIENCE_MS / 1_000} s`);
        await sleep(RETRY_MS);
      }
    }
  };
  const done = Promise.all(Array.from({ length: AT_ONCE }, runner)).then(() => undefined);
  done.catch(() => undefined);
  return { ...sent, done };
}

/** True once it was taken. */
async function sendOnce(sent: Sent, origin: string, path: string, n: number): Promise<boolean> {
  const response = await post(origin, path, n);
  const status = response === null ? 'none' : `${response.status}`;
  sent.answers.set(status, (sent.answers.get(status) ?? 0) + 1);
  if (response === null || response.status === 503 || response.status === 429) return false;
  if (response.status !== 202) {
    sent.faults.push(`event ${n} was answered with ${status}: ${response.text}`);
    return false;
  }
  sent.takenAt.push(Date.now());
  const { id } = JSON.parse(response.text) as { readonly id: string };
  sent.ids.set(n, id);
  return true;
}

/** Null where no whole answer came. */
async function post(
  origin: string,
  path: string,
  n: number,
): Promise<{ readonly status: number; readonly text: string } | null> {
  try {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `order-${n}` },
      body: bodyOf(n),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}
