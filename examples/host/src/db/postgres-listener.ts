/** Listening to notifications of Postgres, on a connection of its own that is made again when it breaks. */
import pg from 'pg';
import type { Topic } from './port.js';
import { createTopics } from './topics.js';

/** A connection that listens. */
export interface Listener {
  listen(topic: Topic, told: (payload: string) => void): () => void;
  close(): Promise<void>;
}

const RECONNECT_MS = 500;

/**
 * Connects when somebody first listens. Notifications that were missed while the connection was away are made up for by
 * one without a payload to every listener.
 *
 * @param channel - The channel of notifications; each is `<topic> <payload>`.
 */
export function createListener(config: pg.PoolConfig, channel: string): Listener {
  const topics = createTopics();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const retry = (): void => {
    client = null;
    if (isClosed || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      void connect();
    }, RECONNECT_MS);
  };
  const connect = async (): Promise<void> => {
    // A session that only listens is idle for hours.
    const next = new pg.Client({ ...config, query_timeout: undefined });
    client = next;
    next.on('error', () => undefined);
    next.on('end', retry);
    next.on('notification', ({ payload = '' }) => {
      const space = payload.indexOf(' ');
      topics.tell(payload.slice(0, space) as Topic, payload.slice(space + 1));
    });
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      topics.tellAll('');
    } catch {
      await next.end().catch(() => undefined);
      retry();
    }
  };
  return {
    listen(topic, told) {
      if (client === null && timer === null) void connect();
      return topics.listen(topic, told);
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
