/** The live tail: each decided event of a project, dropped ones among them, to all who watch. */
import { assertMayEnter } from '../api/guard.js';
import type { Authenticate } from '../api/principal.js';
import type { Streamed } from '../api/route.js';
import type { Database } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { readChanges } from './changes.js';
import { type EventFilter, tailEvents } from './routes.js';
import { type BatchHeadRow, SELECT_BATCH_HEADS } from './statements.js';
import { TailFeed } from './tail-feed.js';
import { type ShowItem, tailCursorOf, TailStream } from './tail-stream.js';

/** Dependencies of the tail. */
export interface TailParts {
  readonly db: Database;
  readonly authenticate: Authenticate;
  /** Called with errors that nobody else hears of, for the log. */
  readonly report: (error: unknown, about: string) => void;
}

/** A request to watch. */
export interface TailRequest {
  readonly project: string;
  readonly filter: EventFilter;
  /** Shows an item to the caller. */
  readonly shown: ShowItem;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

const MAX_STREAMS = 50;
/**
 * How often heads are read and keys are checked, notified or not: a revoked key holds no stream for longer than 2 s.
 */
const TICK_MS = 1_000;
const RETRY_SECONDS = 5;

/** A stream with the request that it answers. */
interface Reader {
  readonly stream: TailStream;
  readonly project: string;
  readonly headers: Headers;
}

/** The tails of all projects, in this process. It begins without readers, and reads nothing while there are none. */
export class Tail {
  readonly #parts: TailParts;
  readonly #feeds = new Map<string, TailFeed>();
  readonly #readers = new Map<string, Set<Reader>>();
  readonly #unlisten: readonly (() => void)[];
  #timer: NodeJS.Timeout | null = null;
  #hasFailed = false;

  constructor(parts: TailParts) {
    this.#parts = parts;
    this.#unlisten = [
      parts.db.listen('events', (project) => {
        for (const one of project === '' ? this.#feeds.keys() : [project]) this.#advance(one);
      }),
      parts.db.listen('changes', (payload) => this.#changed(payload)),
      parts.db.listen('keys', () => {
        for (const reader of this.#allReaders()) this.#checkKey(reader).catch(this.#failed);
      }),
    ];
  }

  /** @throws Problem (as a rejection) `too_many_requests` if the project has as many readers as it may. */
  async open(request: TailRequest): Promise<Streamed> {
    const reader = this.#enter(request);
    const { stream, project } = reader;
    this.#schedule();
    const feed = this.#feeds.get(project) ?? new TailFeed(this.#parts.db, project);
    this.#feeds.set(project, feed);
    try {
      await feed.advance();
    } catch (error) {
      stream.close();
      throw error;
    }
    feed.join(stream).catch((error: unknown) => {
      this.#failed(error);
      stream.close();
    });
    return stream.answer;
  }

  /** Ends all streams. */
  stop(): void {
    for (const one of this.#unlisten) one();
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const { stream } of this.#allReaders()) stream.close();
  }

  #enter({ project, filter, shown, headers, signal }: TailRequest): Reader {
    const all = this.#readers.get(project) ?? new Set();
    if (all.size >= MAX_STREAMS) throw tooMany();
    const last = tailCursorOf(headers.get('last-event-id'));
    const stream = new TailStream({ filter, shown }, last, () => this.#leave(reader));
    const reader: Reader = { stream, project, headers };
    this.#readers.set(project, all.add(reader));
    signal.addEventListener('abort', () => stream.close(), { once: true });
    return reader;
  }

  #leave(reader: Reader): void {
    const { stream, project } = reader;
    const all = this.#readers.get(project);
    all?.delete(reader);
    this.#feeds.get(project)?.leave(stream);
    if (all?.size !== 0) return;
    this.#readers.delete(project);
    this.#feeds.delete(project);
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#tick()
        .catch(this.#failed)
        .finally(() => {
          this.#timer = null;
          if (this.#readers.size > 0) this.#schedule();
        });
    }, TICK_MS).unref();
  }

  async #tick(): Promise<void> {
    for (const { stream } of this.#allReaders()) stream.flush();
    await Promise.all(this.#allReaders().map((reader) => this.#checkKey(reader)));
    const projects = JSON.stringify([...this.#feeds.keys()]);
    const heads = await this.#parts.db.all<BatchHeadRow>(SELECT_BATCH_HEADS, [projects]);
    for (const { id, batch_position: head } of heads) {
      if (this.#feeds.get(id)?.isBehind(head)) this.#advance(id);
    }
    // Only now: a host that cannot read what is decided gives no sign of life.
    for (const feed of this.#feeds.values()) feed.beat();
    this.#hasFailed = false;
  }

  #changed(payload: string): void {
    const { project, events } = readChanges(payload);
    const readers = project === '' ? this.#allReaders() : (this.#readers.get(project) ?? []);
    for (const { stream } of readers) stream.changed(events);
  }

  #advance(project: string): void {
    this.#feeds.get(project)?.advance().catch(this.#failed);
  }

  async #checkKey({ stream, project, headers }: Reader): Promise<void> {
    const principal = await this.#parts.authenticate(headers);
    try {
      assertMayEnter(principal, { ...tailEvents, project, headers, origin: () => '' });
    } catch {
      stream.close();
    }
  }

  /** Writes one line in the log each time that the database goes away. */
  readonly #failed = (error: unknown): void => {
    if (!this.#hasFailed) this.#parts.report(error, 'the live tail');
    this.#hasFailed = true;
  };

  #allReaders(): readonly Reader[] {
    return [...this.#readers.values()].flatMap((all) => [...all]);
  }
}

const tooMany = (): Problem =>
  new Problem(
    'too_many_requests',
    `the project has ${MAX_STREAMS} live tails open in this process, which is the most: close one`,
    { retryAfter: RETRY_SECONDS },
  );
