/** The stream: WebSockets on which SDK clients get every processed event of their project, in order, until they acknowledge. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { problemOf } from '../api/answers.js';
import { assertMayEnter } from '../api/guard.js';
import type { Authenticate } from '../api/principal.js';
import type { BoundRoute } from '../api/route.js';
import type { Database } from '../db/index.js';
import { isUuid, newId } from '../ground/ids.js';
import { Problem, PROBLEMS } from '../ground/problem.js';
import { clientsOf } from './clients.js';
import { Connection, type ConnectionParts, type Welcome } from './connection.js';
import { Feed } from './feed.js';
import { acknowledge, leavePlace, placeFrom, takePlace } from './places.js';
import {
  type ClientFrame,
  type Closing,
  MAX_FRAME_BYTES,
  type ServerFrame,
  SUBPROTOCOL,
} from './protocol.js';
import { refusalMessage, storeReply } from './replies.js';
import { SELECT_HEADS } from './statements.js';

/** What the stream needs. */
export interface StreamParts {
  readonly db: Database;
  readonly now: () => number;
  readonly authenticate: Authenticate;
  readonly metrics: {
    connected(change: 1 | -1): void;
    streamed(lagMs: number): void;
    replied(result: 'stored' | 'repeated' | 'refused'): void;
    storeFailed(room: string): void;
  };
  readonly isStopping: () => boolean;
}

/** The stream of one process. */
export interface Stream {
  readonly routes: readonly BoundRoute[];
  /** Takes a WebSocket request, as `upgrade` of node:http gives it; false where the path is not the stream's. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  start(): void;
  /** Tells every client to connect again elsewhere, and records what they acknowledged. */
  stop(): Promise<void>;
}

const PATH = /^\/projects\/([^/]+)\/stream$/;
const FLUSH_MS = 100;
const TICK_MS = 2_000;
/** Connections of one project in one process. */
const MAX_CONNECTIONS = 1_000;

/** Connections of this process, the feeds that they share, and the acknowledgements that wait to be recorded. */
export function createStream({ db, now, authenticate, metrics, isStopping }: StreamParts): Stream {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const projects = new Map<string, { readonly feed: Feed; readonly connections: Set<Connection> }>();
  const connections = new Map<string, Connection>();
  /** Connections whose acknowledgements are not recorded. */
  const moved = new Set<Connection>();
  let flushing: Promise<void> | null = null;
  const endings: (() => void)[] = [];
  const failed = (): void => metrics.storeFailed('stream');

  const authorize = async (headers: Headers, project: string): Promise<void> => {
    const entry = { access: 'receive', method: 'GET', project, headers, origin: '' } as const;
    const principal = await authenticate(headers);
    assertMayEnter(principal, entry);
    // A cookie opens no stream: a page of another site could send it along.
    if (principal?.isSession === true) throw new Problem('unauthorized', 'the stream takes keys');
  };

  const roomOf = (project: string) => {
    const room = projects.get(project) ?? { feed: new Feed(db, project), connections: new Set<Connection>() };
    projects.set(project, room);
    return room;
  };

  const heldBy = (connection: Connection) => ({
    project: connection.project,
    name: connection.name ?? '',
    connection: connection.id,
    position: connection.acknowledgedTo,
  });

  /** One statement for all connections. Repeated after a failure, since the set is kept until it has succeeded. */
  const flush = (): Promise<void> => {
    flushing ??= flushOnce().finally(() => (flushing = null));
    return flushing;
  };
  const flushOnce = async (): Promise<void> => {
    const batch = [...moved];
    if (batch.length === 0) return;
    moved.clear();
    try {
      const lost = await acknowledge(db, batch.map(heldBy), now());
      for (const id of lost) connections.get(id)?.close('replaced');
    } catch {
      failed();
      for (const connection of batch) moved.add(connection);
    }
  };

  const welcome = async (
    connection: Connection,
    { key, client: name, from }: ClientFrame & { type: 'hello' },
  ): Promise<Welcome | Closing> => {
    const { project, headers } = connection;
    if (key !== null) headers.set('authorization', `Bearer ${key}`);
    try {
      await authorize(headers, project);
    } catch (error) {
      const { code } = problemOf(error);
      if (code === 'forbidden') return 'forbidden';
      if (code === 'unauthorized' || code === 'not_found') return 'unauthorized';
      throw error;
    }
    const { feed } = roomOf(project);
    if (name === null) return { name, position: await feed.readHead(), resumed: false, feed };
    const start = from === null ? await feed.readHead() : await placeFrom(db, project, from);
    if (start === null) return 'unknown_from';
    const place = await takePlace(db, { project, name, connection: connection.id, position: start }, now());
    return { name, ...place, feed };
  };

  const replied = async (
    connection: Connection,
    { id, event_id, payload }: ClientFrame & { type: 'reply' },
  ): Promise<ServerFrame> => {
    const client = connection.name ?? connection.id;
    const result = await storeReply(
      db,
      { project: connection.project, client, id, event_id, payload },
      now(),
    );
    if (result === 'stored' || result === 'repeated') {
      metrics.replied(result);
      return { type: 'replied', id };
    }
    metrics.replied('refused');
    return { type: 'refused', id, code: result, message: refusalMessage(result) };
  };

  const closed = (connection: Connection): void => {
    connections.delete(connection.id);
    metrics.connected(-1);
    const room = projects.get(connection.project);
    room?.connections.delete(connection);
    if (room?.connections.size === 0) projects.delete(connection.project);
    if (connection.name === null) return;
    const leave = (): Promise<void> => leavePlace(db, heldBy(connection), now());
    void flush().then(leave).catch(failed);
  };

  const parts: ConnectionParts = {
    now,
    welcome,
    replied,
    closed,
    failed,
    acknowledged: (connection) => void (connection.name !== null && moved.add(connection)),
    sent: (lagMs) => void (lagMs !== null && metrics.streamed(lagMs)),
  };

  const open = async (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    project: string,
  ): Promise<void> => {
    if (isStopping()) throw new Problem('stopping', 'the service is stopping', { retryAfter: 1 });
    if (!isUuid(project)) throw new Problem('not_found', 'there is no such project');
    const headers = new Headers();
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      headers.set('authorization', authorization);
      await authorize(headers, project);
    }
    if ((projects.get(project)?.connections.size ?? 0) >= MAX_CONNECTIONS) {
      throw new Problem(
        'too_many_requests',
        `a project has at most ${MAX_CONNECTIONS} connections to a process`,
      );
    }
    server.handleUpgrade(request, socket, head, (client) => {
      const connection = new Connection(newId(now()), project, headers, client, parts);
      connections.set(connection.id, connection);
      roomOf(project).connections.add(connection);
      metrics.connected(1);
    });
  };

  const wake = (project: string): void => {
    const rooms = project === '' ? [...projects.values()] : [projects.get(project)];
    for (const room of rooms) { for (const connection of room?.connections ?? []) connection.wake(); }
  };
  /** Somebody took a place: the connection in this process that had it is closed. */
  const replace = (payload: string): void => {
    const [project = '', name, holder] = payload.split(' ');
    for (const connection of projects.get(project)?.connections ?? []) {
      if (connection.name === name && connection.id !== holder) connection.close('replaced');
    }
  };
  const authorizeAgain = async (project: string): Promise<void> => {
    const all = project === '' ? [...connections.values()] : [...(projects.get(project)?.connections ?? [])];
    for (const connection of all.filter(({ isWelcome }) => isWelcome)) {
      await authorize(connection.headers, connection.project).catch((error: unknown) => {
        if (problemOf(error).status < 500) connection.close('unauthorized');
      });
    }
  };
  /** Finds what notifications have missed. */
  const look = async (): Promise<void> => {
    for (const connection of connections.values()) connection.tick();
    if (projects.size === 0) return;
    const heads = await db.all<{ id: string; log_position: number }>(SELECT_HEADS, [
      JSON.stringify([...projects.keys()]),
    ]);
    for (const { id, log_position } of heads) {
      if (log_position > (projects.get(id)?.feed.head ?? 0)) wake(id);
    }
  };
  return {
    routes: clientsOf(db, now),
    upgrade(request, socket, head) {
      const project = PATH.exec((request.url ?? '').split('?')[0] ?? '')?.[1];
      if (project === undefined) return false;
      socket.on('error', () => socket.destroy());
      open(request, socket, head, project).catch((error: unknown) => refuse(socket, problemOf(error)));
      return true;
    },
    start() {
      const flusher = setInterval(() => void flush(), FLUSH_MS);
      const ticker = setInterval(() => void look().catch(failed), TICK_MS);
      endings.push(
        () => clearInterval(flusher),
        () => clearInterval(ticker),
        db.listen('log', wake),
        db.listen('clients', replace),
        db.listen('keys', (project) => void authorizeAgain(project)),
      );
    },
    async stop() {
      for (const end of endings.splice(0)) end();
      for (const connection of [...connections.values()]) connection.close('going_away');
      await flush();
      await flush();
    },
  };
}

/** Answers a request that is not upgraded. */
function refuse(socket: Duplex, { code, message, status }: Problem): void {
  const [, title] = PROBLEMS[code];
  const body = JSON.stringify({ type: `about:blank#${code}`, title, status, code, detail: message });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
