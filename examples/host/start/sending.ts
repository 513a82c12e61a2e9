/** Sends webhooks to a channel, as a provider does: again until it is answered. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The answers of the host to the webhooks. */
export interface Sent {
  /** The event of each webhook, in the order of the bodies. */
  readonly ids: readonly string[];
  /** Requests without an answer: the host was killed before it came. */
  readonly unanswered: number;
  /** How many of those had been stored: the second request was answered with the first one's event. */
  readonly hadBeenStored: number;
}

interface Accepted {
  readonly id: string;
  readonly duplicate: boolean;
}

const SENDERS = 8;
const PAUSE_MS = 100;
/** All that a webhook may take, restart of the host included. */
const PATIENCE_MS = 60_000;

/** @param accepted - Called after each answer with their number; the next webhook waits for it. */
export async function sendAll(
  url: string,
  bodies: readonly object[],
  accepted: (count: number) => Promise<void> | undefined,
): Promise<Sent> {
  const ids = bodies.map(() => '');
  let [next, done, unanswered, hadBeenStored] = [0, 0, 0, 0];
  const sendNext = async (): Promise<void> => {
    for (let n = next++; n < bodies.length; n = next++) {
      const { id, duplicate, lost } = await sendOne(url, bodies[n] as object, `webhook-${n}`);
      ids[n] = id;
      unanswered += lost;
      if (duplicate) hadBeenStored++;
      await accepted(++done);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sendNext));
  return { ids, unanswered, hadBeenStored };
}

/** The key makes it safe to send again what was not answered. */
async function sendOne(
  url: string,
  body: object,
  key: string,
): Promise<Accepted & { readonly lost: number }> {
  const until = Date.now() + PATIENCE_MS;
  for (let lost = 0; ;) {
    const response = await post(url, body, key);
    if (response === 'refused' || response?.status === 503) {
      if (Date.now() > until) throw new Error('the host does not take webhooks');
      await sleep(PAUSE_MS);
    } else if (response === null) {
      lost++;
    } else if (response.status === 202) {
      return { ...((await response.json()) as Accepted), lost };
    } else {
      throw new Error(`a webhook was answered ${response.status}: ${await response.text()}`);
    }
  }
}

/** Null if the connection broke before the answer; `refused` where there was none to send on. */
async function post(url: string, body: object, key: string): Promise<Response | 'refused' | null> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  try {
    return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
    return code === 'ECONNREFUSED' ? 'refused' : null;
  }
}
