/** Takes what arrives at receivers: from anybody by HTTP, and from the service's own deliveries. */
import type { AttemptRequest } from 'headgate/delivery';
import { bind, type BoundRoute } from '../api/route.js';
import type { Database } from '../db/index.js';
import { createFreshCache } from '../caching/fresh-cache.js';
import type { HeaderPairs } from '../http/headers.js';
import { notFound, Problem } from '../errors/problem.js';
import { createLedger } from '../limits/ledger.js';
import { createRate } from '../limits/rate.js';
import { credentialFinder } from '../secrets/credentials.js';
import { deliveryHeaderNames } from '../secrets/signer.js';
import { keptBody, keptHeaders, WITHHELD } from './kept.js';
import { createKeeping } from './keeping.js';
import { pause } from './pause.js';
import { receive } from './routes.js';
import { FIND, type ReceiverRow } from './statements.js';
import type { HandedOver } from './transport.js';
import { urlOf } from './url.js';
import { createJudge, type JudgeParts } from './verdict.js';

/** Dependencies of {@link createArriving}. */
export interface ArrivingParts extends JudgeParts {
  readonly db: Database;
  readonly now: () => number;
  readonly publicUrl: string;
  /** The operator's key, which no receiver shows; null if there is none. */
  readonly operatorKey: string | null;
  readonly stopping: AbortSignal;
}

/** Takes the requests to receivers. */
export interface Arriving {
  /** Keeps a delivery of this service; null if the receiver does not exist. */
  handOver(token: string, request: AttemptRequest): Promise<HandedOver | null>;
  /** A receiver has changed. */
  edited(): void;
  readonly route: BoundRoute;
}

const PER_SECOND = 5;
const BURST = 25;
/** Requests from outside that are read or kept waiting, of all projects; one alone may have half. */
const MAX_AT_A_TIME = 256;

export function createArriving(parts: ArrivingParts): Arriving {
  const { db, now, publicUrl, stopping } = parts;
  const judge = createJudge(parts);
  const own = deliveryHeaderNames(parts.brand);
  const holdsCredential = credentialFinder(parts.operatorKey);
  const keep = createKeeping(db);
  const rate = createRate(PER_SECOND, BURST);
  const mayKeep = (receiver: string): boolean => rate.take(receiver, 1, now()) === 0;
  const crowd = createLedger(MAX_AT_A_TIME);
  const found = createFreshCache({
    now,
    load: async (token: string) => (await db.get<ReceiverRow>(FIND, [token])) ?? null,
  });
  const take = async (
    { id, project_id: project, token, status_code }: ReceiverRow,
    request: Arrived,
  ): Promise<void> => {
    const at = now();
    const { pairs, body } = request;
    const headers = new Headers(pairs.map(([name, value]): [string, string] => [name, value]));
    const judgement = await judge({ project, url: urlOf(publicUrl, token), headers, body, at });
    const kept = {
      headers: keptHeaders(pairs, holdsCredential),
      ...keptBody(body),
      status_code,
      ...judgement,
    };
    await keep({ receiver: id, project, at, request: kept });
  };
  return {
    async handOver(token, { headers, body }) {
      const row = await found.get(token);
      if (row === null) return null;
      // Beyond the rate deliveries are answered, and not shown: what falls out of the list at once need not get there.
      if (mayKeep(row.id)) {
        const host: HeaderPairs[number] = ['host', new URL(publicUrl).host];
        const length: HeaderPairs[number] = ['content-length', `${body.byteLength}`];
        await take(row, { pairs: [host, ...withheld(headers, own), length], body });
      }
      return row;
    },
    edited: () => found.clear(),
    route: bind(receive, async ({ params: { token }, rawHeaders, bytes, signal }) => {
      const row = await found.get(token);
      if (row === null) throw notFound('receiver');
      const entered = crowd.take(row.project_id, 1);
      if (entered === null) throw crowded();
      try {
        if (!mayKeep(row.id)) throw tooFast();
        await take(row, { pairs: rawHeaders(), body: await bytes(row.project_id) });
        if (row.delay_ms > 0) await pause(row.delay_ms, signal, stopping);
        return answered(row.status_code);
      } finally {
        entered.close();
      }
    }),
  };
}

/**
 * Headers of a delivery. Those that the owner of its endpoint has set are secret, also from the readers of the project.
 */
const withheld = (headers: AttemptRequest['headers'], own: ReadonlySet<string>): HeaderPairs =>
  Object.entries(headers).map(([name, value]) => [name, own.has(name.toLowerCase()) ? value : WITHHELD]);

/** A request, with its headers in order. */
interface Arrived {
  readonly pairs: HeaderPairs;
  readonly body: Uint8Array;
}

const tooFast = (): Problem =>
  new Problem('too_many_requests', `a receiver takes ${PER_SECOND} requests a second; try again`, {
    retryAfter: 1,
  });

const crowded = (): Problem =>
  new Problem('too_many_requests', 'too many requests wait for receivers of this project; try again', {
    retryAfter: 1,
  });

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;
/** Statuses of answers that have no body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

const answered = (status: number): Response =>
  WITHOUT_BODY.includes(status)
    ? new Response(null, { status, headers: HEADERS })
    : new Response(`${status}, as this receiver was told to answer\n`, { status, headers: HEADERS });
