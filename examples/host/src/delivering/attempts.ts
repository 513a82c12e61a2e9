/** One attempt, with what was sent and received. */
import { isHiddenDelivery } from '../api/portal.js';
import { bind, type BoundRoute } from '../api/route.js';
import type { Database } from '../db/index.js';
import { HEADERS_MASK } from '../endpoints/routes.js';
import { notFound } from '../errors/problem.js';
import { ownHeaders } from '../secrets/signer.js';
import { shownAttempt } from './deliveries.js';
import { contentOf, type Exchanges, type StoredExchange } from './exchange.js';
import { bodyOf } from './request-body.js';
import { type ExchangeView, getAttempt } from './routes.js';
import { type DeliveryRow, SELECT_ATTEMPT, SELECT_DELIVERY, type WholeAttemptRow } from './statements.js';

/** Dependencies of the route. */
export interface AttemptParts {
  readonly db: Database;
  readonly exchanges: Exchanges;
  /** The brand of the headers of deliveries; that of the library unless given. */
  readonly brand?: string | undefined;
}

export function attemptRoutes({ db, exchanges, brand }: AttemptParts): readonly BoundRoute[] {
  const isOwn = ownHeaders(brand);
  return [
    bind(getAttempt, async ({ params: { project, delivery, attempt }, principal }) => {
      const row = await db.get<DeliveryRow>(SELECT_DELIVERY, [delivery, project]);
      if (row === undefined || isHiddenDelivery(principal, row)) throw notFound('delivery');
      const found = await db.get<WholeAttemptRow>(SELECT_ATTEMPT, [row.number, attempt]);
      if (found === undefined) throw notFound('attempt');
      const { exchange: sealed } = found;
      const opened = sealed === null ? null : exchanges.open(sealed, row.id, found.number);
      const isSent = opened !== null && opened.request_head !== null;
      const body = isSent ? await bodyOf(db, row) : null;
      const why = found.url === null ? ('nothing_sent' as const) : ('not_kept' as const);
      const missing = sealed === null ? why : ('sealed' as const);
      return {
        ...shownAttempt(found),
        exchange: opened && shown(opened, body, isOwn),
        exchange_missing: opened === null ? missing : null,
      };
    }),
  ];
}

function shown(
  { request_head: head, response, timings }: StoredExchange,
  body: Uint8Array | null,
  isOwn: (name: string) => boolean,
): ExchangeView {
  return {
    request: head === null ? null : { ...readHead(head, isOwn), body: body && contentOf(body) },
    response: response && {
      ...response,
      headers: response.headers.map(([name, value]) => ({ name, value })),
    },
    timings,
  };
}

/** Reads the head of a request as the transport wrote it. */
function readHead(
  head: string,
  isOwn: (name: string) => boolean,
): Pick<NonNullable<ExchangeView['request']>, 'target' | 'headers'> {
  const [first = '', ...lines] = head.trimEnd().split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(': ');
    const name = line.slice(0, colon);
    return { name, value: isOwn(name) ? line.slice(colon + 2) : HEADERS_MASK };
  });
  return { target: first.split(' ')[1] ?? '', headers };
}
