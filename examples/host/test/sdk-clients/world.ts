/** The stream on a database, with a log that tests write and clients that speak the protocol by hand. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Principal } from '../../src/api/principal.js';
import type { Database } from '../../src/db/index.js';
import { createEventIds, newId } from '../../src/ids.js';
import { createMemory } from '../../src/limits/memory.js';
import { statusFact } from '../../src/stored/facts.js';
import { postingRows } from '../../src/stored/postings.js';
import { createSdkClients, type SdkClients } from '../../src/sdk-clients/sdk-clients.js';

const newEventId = createEventIds();

/** A frame, as a test reads it. */
export type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

/** Counts of the metrics part. */
export interface Counts {
  connected: number;
  replies: string[];
  failures: number;
}

/** A running stream. */
export interface StreamWorld {
  readonly project: string;
  readonly url: string;
  readonly stream: SdkClients;
  readonly counts: Counts;
  /** Keys that may receive. */
  readonly keys: Set<string>;
  /** Adds entries to the log, and tells. Returns the ids of their events. */
  readonly append: (count: number, data?: object) => Promise<readonly string[]>;
  readonly connect: (hello?: object) => Promise<RawClient>;
}

/** A client that does only what the test says. */
export class RawClient {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  closed: { readonly code: number } | null = null;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.frames.push(JSON.parse(data.toString()) as Frame));
    socket.on('close', (code: number) => (this.closed = { code }));
    socket.on('error', () => undefined);
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  of(type: string): readonly Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  get positions(): readonly number[] {
    return this.of('event').map(({ position }) => position as number);
  }
}

export async function streamOn(
  db: Database,
  project = newId(Date.now()),
  memory = createMemory(),
  now: () => number = Date.now,
): Promise<StreamWorld> {
  const counts: Counts = { connected: 0, replies: [], failures: 0 };
  const keys = new Set(['receives']);
  const authenticate = (headers: Headers): Promise<Principal | null> => {
    const key = /^Bearer (.*)$/.exec(headers.get('authorization') ?? '')?.[1] ?? '';
    const of = (id: string, scopes: Principal['scopes']): Principal => ({
      ...{ project: id, scopes, actor: `key:${key}`, isSession: false },
    });
    if (key === 'other') return Promise.resolve(of(newId(0), new Set(['receive'])));
    if (key === 'read') return Promise.resolve(of(project, new Set(['read'])));
    return Promise.resolve(keys.has(key) ? of(project, new Set(['receive'])) : null);
  };
  const stream = createSdkClients({
    db,
    now,
    authenticate,
    isStopping: () => false,
    memory,
    metrics: {
      connected: (change) => (counts.connected += change),
      streamed: () => undefined,
      replied: (result) => counts.replies.push(result),
      storeFailed: () => counts.failures++,
    },
  });
  await makeProject(db, project);
  stream.start();
  const server = createServer((_, response) => response.writeHead(404).end());
  server.on('upgrade', (request, socket, head) => {
    if (!stream.upgrade(request, socket, head)) socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/projects/${project}/stream`;
  onTestFinished(async () => {
    await stream.stop();
    server.close();
    server.closeAllConnections();
  });
  return {
    ...{ project, url, stream, counts, keys },
    append: (count, data = { body: {} }) => append(db, project, count, data),
    async connect(hello = {}) {
      const client = new RawClient(new WebSocket(url, ['headgate.v1']));
      await once(client.socket, 'open');
      client.send({ type: 'hello', key: 'receives', ...hello });
      return client;
    },
  };
}

async function makeProject(db: Database, id: string): Promise<void> {
  const settings = { name: 'a', plan: 'pro', retention_days: 30, auto_pause_days: null, rules_version: 0 };
  const row = { id, ...settings, log_position: 0, created_at: 0, updated_at: 0 };
  await db.insert('projects', [row], '(id) do nothing');
}

/** Adds entries as the decision of events does: the head first, which locks it. */
export async function append(
  db: Database,
  project: string,
  count: number,
  data: object,
): Promise<readonly string[]> {
  const at = Date.now();
  const ids = Array.from({ length: count }, () => newEventId(at));
  await db.transaction(async (tx) => {
    const head = await tx.get<{ log_position: number }>(
      'update projects set log_position = log_position + $2 where id = $1 returning log_position',
      [project, count],
    );
    const first = head!.log_position - count + 1;
    const decided = {
      decide_at: null,
      decide_failures: 0,
      decided_at: at,
      rules_version: 1,
      dropped_by: null,
    };
    const rest = { ...decided, tags: '["a"]', decision: '{}' };
    const event = { project_id: project, channel_id: null, type: 'webhook.received', status: 'processed' };
    await tx.insert(
      'events',
      ids.map((id, i) => ({ id, ...event, received_at: at, ...rest, log_position: first + i })),
    );
    const payload = { channel_name: null, data: JSON.stringify(data), raw_payload: null, projected: null };
    await tx.insert(
      'event_payloads',
      ids.map((event_id) => ({ event_id, ...payload })),
    );
    const facts = [statusFact('processed')];
    await tx.insert('event_postings', postingRows(ids.map((id) => ({ project, id, facts }))));
    const entry = { project_id: project, origin: 'live', replay_id: null };
    await tx.insert(
      'event_log',
      ids.map((event_id, i) => ({ ...entry, position: first + i, event_id })),
    );
  });
  await db.notify('log', project);
  return ids;
}
