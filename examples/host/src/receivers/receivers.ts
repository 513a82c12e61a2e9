/** Receivers: URLs of the service itself that keep what arrives and show it, for people who have no URL yet. */
import type { Transport } from 'headgate/delivery';
import { idBefore, PAGE_BYTES, pageOfRows } from '../api/page.js';
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import type { Database, Queries } from '../db/index.js';
import { notFound } from '../errors/problem.js';
import { etag } from '../http/version.js';
import { createArriving } from './arriving.js';
import { aboutOf, createEdits } from './edits.js';
import {
  createReceiver,
  deleteReceiver,
  getReceiver,
  listReceivedRequests,
  listReceivers,
  type Receiver,
  updateReceiver,
} from './routes.js';
import { shownReceiver, shownRequest } from './shown.js';
import { type ReceiverRow, type RequestRow, SELECT, SELECT_PAGE, SELECT_REQUESTS } from './statements.js';
import { createOwnTransport } from './transport.js';
import { tokenOf, urlOf } from './url.js';
import type { JudgeParts } from './verdict.js';

/** Dependencies of this module. */
export interface ReceiverParts extends JudgeParts {
  readonly db: Database;
  /** The same, for what callers of the API may ask for without end. */
  readonly reads: Queries;
  readonly now: () => number;
  /** Before `/receive/…`, such as `https://hooks.example.com`; without a slash at its end. */
  readonly publicUrl: string;
  /** The operator's key, which no receiver shows; null if there is none. */
  readonly operatorKey: string | null;
}

/** Receivers. */
export interface Receivers {
  /** True for a URL that is one of a receiver of this service, whether or not that exists. */
  isOwn(url: string): boolean;
  /** A transport that hands deliveries to receivers over by itself, and gives all others to this one. */
  transport(others: Transport): Transport;
  /** Answers at once all requests that wait for a late answer. */
  stop(): void;
  readonly routes: readonly BoundRoute[];
}

export function createReceivers(parts: ReceiverParts): Receivers {
  const { db, reads, now, publicUrl } = parts;
  const stopping = new AbortController();
  const arriving = createArriving({ ...parts, stopping: stopping.signal });
  const edits = createEdits({ db, now, edited: arriving.edited });
  const unlisten = db.listen('receivers', arriving.edited);
  const shown = (row: ReceiverRow): Receiver => shownReceiver(row, urlOf(publicUrl, row.token));
  const versioned = (row: ReceiverRow): WithHeaders<Receiver> =>
    new WithHeaders(shown(row), { etag: etag(row.version) });
  const rowOf = async (project: string, id: string): Promise<ReceiverRow> => {
    const row = await reads.get<ReceiverRow>(SELECT, [project, id]);
    if (row === undefined) throw notFound('receiver');
    return row;
  };
  const own = (url: string): string | null => tokenOf(publicUrl, url);
  return {
    isOwn: (url) => own(url) !== null,
    transport: (transport) =>
      createOwnTransport({
        ...{ transport, tokenOf: own },
        handOver: (token, request) => arriving.handOver(token, request),
      }),
    stop() {
      unlisten();
      stopping.abort();
    },
    routes: [
      bind(listReceivers, async ({ params: { project }, query: { limit, cursor } }) => {
        const rows = await reads.all<ReceiverRow>(SELECT_PAGE, [project, idBefore(cursor), limit + 1]);
        return pageOfRows(rows, limit, shown);
      }),
      bind(createReceiver, async ({ params: { project }, body, principal }) =>
        versioned(await edits.create(project, body, principal.actor)),
      ),
      bind(getReceiver, async ({ params }) => versioned(await rowOf(params.project, params.receiver))),
      bind(updateReceiver, async (call) => versioned(await edits.update(aboutOf(call), call.body))),
      bind(deleteReceiver, async (call) => {
        await edits.remove(aboutOf(call));
        return undefined;
      }),
      bind(listReceivedRequests, async ({ params: { project, receiver }, query: { limit, cursor } }) => {
        await rowOf(project, receiver);
        const values = [project, receiver, idBefore(cursor), limit + 1, PAGE_BYTES];
        return pageOfRows(await reads.all<RequestRow>(SELECT_REQUESTS, values), limit, shownRequest);
      }),
      arriving.route,
    ],
  };
}
