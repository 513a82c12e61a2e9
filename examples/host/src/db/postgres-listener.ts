/** Listening to notifications of Postgres, on a connection of its own that is made again when it breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Topic } from './port.js';
import { createTopics } from './topics.js';

/** A connection that listens. */
export interface Listener {
  listen(topic: Topic, told: (payload: string) => void): () => void;
  close(): Promise<void>;
}

const RECONNECT_MS = 500;
/** A session that only listens never finds out by itself that its peer is gone: so it is tested. */
const PROBE_EVERY_MS = 5_000;
/** A peer that is gone answers no farewell. */
const CLOSE_MS = 1_000;

/**
 * Connects when somebody first listens. Notifications that were missed while the connection was away are made up for by
 * one without a payload to every listener.
 *
 * @param channel - The channel of notifications; each is `<topic> <payload>`.
 * @param probeEveryMs - How often the connection is tested, and how long the server has to answer.
 */
export function createListener(
  config: pg.PoolConfig,
  channel: string,
  probeEveryMs = PROBE_EVERY_MS,
): Listener {
  const topics = createTopics();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  /** Connects again, once for each connection that was lost. */
  const lose = (lost: pg.Client): void => {
    if (client !== lost) return;
    client = null;
    if (timer !== null) clearTimeout(timer);
    timer = isClosed ? null : setTimeout(() => void connect(), RECONNECT_MS);
    // With the query that was not answered still open, the driver cuts the socket off.
    lost.end().catch(() => undefined);
  };
  const probeLater = (current: pg.Client): void => {
    if (client !== current || isClosed) return;
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => probeLater(current),
        () => lose(current),
      );
    }, probeEveryMs);
    timer.unref();
  };
  const connect = async (): Promise<void> => {
    timer = null;
    const next = new pg.Client({ ...config, query_timeout: probeEveryMs, pipeline: false });
    client = next;
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    next.on('notification', ({ payload = '' }) => {
      const space = payload.indexOf(' ');
      topics.tell(payload.slice(0, space) as Topic, payload.slice(space + 1));
    });
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      topics.tellAll('');
      probeLater(next);
    } catch {
      lose(next);
    }
  };
  return {
    listen(topic, told) {
      if (client === null && timer === null && !isClosed) void connect();
      return topics.listen(topic, told);
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      const last = client;
      client = null;
      if (last === null) return;
      await Promise.race([last.end().catch(() => undefined), sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
