/** A bare node:http server: it reads a body, and answers 202 once it is stored. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../src/db/index.js';
import { createEventIds } from '../src/ids.js';
import { createGroupCommit } from '../src/limits/group-commit.js';

const newEventId = createEventIds();

/** @param store - Resolves to the id of the event once it is on the disk. */
export const bareListener =
  (store: (body: string) => Promise<string>): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void store(Buffer.concat(chunks).toString()).then((id) => {
        const body = JSON.stringify({ id, status: 'received', duplicate: false });
        response.writeHead(202, { 'content-type': 'application/json', 'content-length': body.length });
        response.end(body);
      });
    });
  };

/** As the host's. */
const KEEP_ALIVE_MS = 65_000;

/** Listens, and resolves to the address of its events. */
export function listenBare(store: (body: string) => Promise<string>): Promise<string> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, bareListener(store));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/in/address`),
    );
  });
}

/** Gathers items that are written in one transaction, as the host gathers events. */
export function groupCommit<Item, Result>(
  { dialect }: Database,
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const commits = createGroupCommit<Item, Result>({
    write,
    ...{
      width: dialect === 'sqlite' ? 2 : 4,
      gapMs: 0,
      enough: 1,
      maxItems: 50,
      maxBytes: 4_194_304,
      timeoutMs: 60_000,
    },
    timedOut: () => new Error('too long'),
  });
  return (item) => commits.add('', item, 1_000);
}

/** Stores bodies as rows of the same tables as the host's. */
export const storeAsHost = (
  db: Database,
  project: string,
  channel: string,
): ((body: string) => Promise<string>) =>
  groupCommit(db, (bodies) =>
    db.transaction(async (tx) => {
      const at = Date.now();
      const rows = bodies.map((body) => ({ id: newEventId(at), body }));
      await tx.insert(
        'events',
        rows.map(({ id }) => ({
          ...{ id, project_id: project, channel_id: channel, type: 'webhook.received', status: 'received' },
          ...{ received_at: at, decide_at: at, decide_failures: 0 },
        })),
      );
      await tx.insert(
        'event_payloads',
        rows.map(({ id, body }) => ({
          ...{ event_id: id, channel_name: 'bench', data: `{"body":${body}}` },
          raw_payload: JSON.stringify({ method: 'POST', path: '/', query: '', headers: [], body }),
        })),
      );
      return rows.map(({ id }) => id);
    }),
  );
