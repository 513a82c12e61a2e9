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
/** A session that only listens never notices that its peer is gone, so it is probed. */
const PROBE_EVERY_MS = 5_000;
/** Closing does not wait longer for a peer that is gone. */
const CLOSE_MS = 1_000;

/**
 * Connects when somebody first listens. Every listener gets one notification without a payload for those that were
 * missed while the connection was away.
 *
 * @param channel - The channel of notifications; each is `<topic> <payload>`.
 * @param probeEveryMs - How often the connection is tested, and how long the server has to answer.
 */
export const createListener = (
  config: pg.PoolConfig,
  channel: string,
  probeEveryMs = PROBE_EVERY_MS,
): Listener => new PostgresListener(config, channel, probeEveryMs);

/** Listens on one connection at a time; made with its database, and closed with it. */
class PostgresListener implements Listener {
  readonly #config: pg.PoolConfig;
  readonly #channel: string;
  readonly #probeEveryMs: number;
  readonly #topics = createTopics();
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(config: pg.PoolConfig, channel: string, probeEveryMs: number) {
    this.#config = config;
    this.#channel = channel;
    this.#probeEveryMs = probeEveryMs;
  }

  listen(topic: Topic, told: (payload: string) => void): () => void {
    if (this.#client === null && this.#timer === null && !this.#isClosed) void this.#connect();
    return this.#topics.listen(topic, told);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const last = this.#client;
    this.#client = null;
    if (last === null) return;
    await Promise.race([last.end().catch(() => undefined), sleep(CLOSE_MS, undefined, { ref: false })]);
  }

  async #connect(): Promise<void> {
    this.#timer = null;
    const next = new pg.Client({ ...this.#config, query_timeout: this.#probeEveryMs, pipeline: false });
    this.#client = next;
    next.on('error', () => this.#lose(next));
    next.on('end', () => this.#lose(next));
    next.on('notification', ({ payload = '' }) => {
      const space = payload.indexOf(' ');
      this.#topics.tell(payload.slice(0, space) as Topic, payload.slice(space + 1));
    });
    try {
      await next.connect();
      await next.query(`listen ${this.#channel}`);
      this.#topics.tellAll('');
      this.#probeLater(next);
    } catch {
      this.#lose(next);
    }
  }

  #probeLater(current: pg.Client): void {
    if (this.#client !== current || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      current.query('select 1').then(
        () => this.#probeLater(current),
        () => this.#lose(current),
      );
    }, this.#probeEveryMs);
    this.#timer.unref();
  }

  /** Connects again, once for each connection that was lost. */
  #lose(lost: pg.Client): void {
    if (this.#client !== lost) return;
    this.#client = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = this.#isClosed ? null : setTimeout(() => void this.#connect(), RECONNECT_MS);
    // With the query that was not answered still open, the driver cuts the socket off.
    lost.end().catch(() => undefined);
  }
}
