/** The limit: a bare node:http server that reads a body, and answers once its rows are in the same store as the host's. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../src/db/index.js';
import { newEventId, newId } from '../src/ground/ids.js';
import { createGroupCommit } from '../src/ingest/group-commit.js';
import { insertProject } from './parts.js';

const [location = '', schema] = process.argv.slice(2);
const db = await openDatabase(schema === undefined ? { sqlite: location } : { postgres: location, schema });
const [project, channel] = [newId(Date.now()), newId(Date.now())];
await insertProject(db, project);

const commits = createGroupCommit<string, string>({
  write: (bodies) =>
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
  // As the host's own.
  ...{ width: db.dialect === 'sqlite' ? 2 : 4, maxItems: 50, maxBytes: 4_194_304, timeoutMs: 60_000 },
  timedOut: () => new Error('too long'),
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    void commits.add(project, Buffer.concat(chunks).toString(), 1_000).then((id) => {
      const body = JSON.stringify({ id, status: 'received', duplicate: false });
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/in/address`),
);
