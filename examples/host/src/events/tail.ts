/** The live tail: each decided event of a project, dropped ones among them, to all who watch. */
import { assertMayEnter } from '../api/guard.js';
import type { Authenticate } from '../api/principal.js';
import type { Streamed } from '../api/route.js';
import type { Database } from '../db/index.js';
import { Problem } from '../ground/problem.js';
import type { EventFilter } from './routes.js';
import { type BatchHeadRow, SELECT_BATCH_HEADS } from './statements.js';
import { TailFeed } from './tail-feed.js';
import { tailPlaceOf, TailStream } from './tail-stream.js';

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
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** The tails of all projects, in this process. */
export interface Tail {
  /** @throws Problem (as a rejection) `too_many_requests` where the project has as many readers as it may. */
  open(request: TailRequest): Promise<Streamed>;
  /** Ends all streams. */
  stop(): void;
}

const MAX_STREAMS = 50;
/** How often heads are read and keys are checked, notified or not: a revoked key holds no stream for longer than 2 s. */
const TICK_MS = 1_000;
const RETRY_SECONDS = 5;

/** A stream with the request that it answers. */
interface Reader {
  readonly stream: TailStream;
  readonly project: string;
  readonly headers: Headers;
}

/** Begins without readers; it reads nothing while there are none. */
export function createTail({ db, authenticate, report }: TailParts): Tail {
  const feeds = new Map<string, TailFeed>();
  const readers = new Map<string, Set<Reader>>();
  let timer: NodeJS.Timeout | null = null;
  let hasFailed = false;

  const feedOf = (project: string): TailFeed => {
    const feed = feeds.get(project) ?? new TailFeed(db, project);
    feeds.set(project, feed);
    return feed;
  };
  const leave = (reader: Reader): void => {
    const all = readers.get(reader.project);
    all?.delete(reader);
    feeds.get(reader.project)?.leave(reader.stream);
    if (all?.size !== 0) return;
    readers.delete(reader.project);
    feeds.delete(reader.project);
  };
  /** One line in the log for each time that the database goes away. */
  const failed = (error: unknown): void => {
    if (!hasFailed) report(error, 'the live tail');
    hasFailed = true;
  };
  const advance = (project: string): void => void feeds.get(project)?.advance().catch(failed);

  const checkKey = async ({ stream, project, headers }: Reader): Promise<void> => {
    const principal = await authenticate(headers);
    try {
      assertMayEnter(principal, { access: 'read', method: 'GET', project, headers, origin: () => '' });
    } catch {
      stream.close();
    }
  };
  const allReaders = (): readonly Reader[] => [...readers.values()].flatMap((all) => [...all]);
  const tick = async (): Promise<void> => {
    for (const { stream } of allReaders()) stream.flush();
    await Promise.all(allReaders().map(checkKey));
    const heads = await db.all<BatchHeadRow>(SELECT_BATCH_HEADS, [JSON.stringify([...feeds.keys()])]);
    for (const { id, batch_position: head } of heads) {
      if (feeds.get(id)?.isBehind(head)) advance(id);
    }
    // Only now: a host that cannot read what is decided gives no sign of life.
    for (const feed of feeds.values()) feed.beat();
    hasFailed = false;
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      tick()
        .catch(failed)
        .finally(() => {
          timer = null;
          if (readers.size > 0) schedule();
        });
    }, TICK_MS).unref();
  };
  const unlisten = [
    db.listen('events', (project) => (project === '' ? [...feeds.keys()] : [project]).forEach(advance)),
    db.listen('keys', () => allReaders().forEach((reader) => void checkKey(reader).catch(failed))),
  ];
  return {
    async open({ project, filter, headers, signal }) {
      const all = readers.get(project) ?? new Set();
      if (all.size >= MAX_STREAMS) throw tooMany();
      const last = tailPlaceOf(headers.get('last-event-id'));
      const reader: Reader = {
        stream: new TailStream(filter, last, () => leave(reader)),
        ...{ project, headers },
      };
      readers.set(project, all.add(reader));
      signal.addEventListener('abort', () => reader.stream.close(), { once: true });
      schedule();
      const feed = feedOf(project);
      try {
        await feed.advance();
      } catch (error) {
        reader.stream.close();
        throw error;
      }
      feed.join(reader.stream).catch((error: unknown) => {
        failed(error);
        reader.stream.close();
      });
      return reader.stream.answer;
    },
    stop() {
      for (const one of unlisten) one();
      if (timer !== null) clearTimeout(timer);
      for (const { stream } of allReaders()) stream.close();
    },
  };
}

const tooMany = (): Problem =>
  new Problem(
    'too_many_requests',
    `the project has ${MAX_STREAMS} live tails open in this process, which is the most: close one`,
    { retryAfter: RETRY_SECONDS },
  );
