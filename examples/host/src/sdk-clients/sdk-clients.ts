/**
 * The stream: WebSockets on which SDK clients get every processed event of their project, in order, until they
 * acknowledge.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { problemOf } from '../api/answers.js';
import { assertMayEnter } from '../api/guard.js';
import type { Authenticate } from '../api/principal.js';
import type { BoundRoute } from '../api/route.js';
import type { Database } from '../db/index.js';
import { createRate } from '../limits/rate.js';
import { isUuid, newId } from '../ids.js';
import { Problem, PROBLEMS, problemType } from '../errors/problem.js';
import type { Ledger } from '../limits/ledger.js';
import { clientsOf } from './clients.js';
import { Connection, type ConnectionParts, type Welcome } from './connection.js';
import { ConnectionMemory } from './connection-memory.js';
import { Feed } from './feed.js';
import { countBytes } from './intake.js';
import {
  acknowledge,
  hasRoomForName,
  type Held,
  leaveCursor,
  CURSOR_BEAT_MS,
  cursorFrom,
  takeCursor,
} from './cursors.js';
import {
  type ClientFrame,
  type Closing,
  MAX_FRAME_BYTES,
  type ServerFrame,
  SUBPROTOCOL,
} from './protocol.js';
import { refusedFrame, storeReply } from './replies.js';
import { SELECT_CLIENT, SELECT_HEADS } from './statements.js';

/** Dependencies of the stream. */
export interface SdkClientParts {
  readonly db: Database;
  readonly now: () => number;
  readonly authenticate: Authenticate;
  readonly metrics: {
    connected(change: 1 | -1): void;
    streamed(lagMs: number): void;
    replied(result: 'stored' | 'repeated' | 'refused'): void;
    storeFailed(module: string): void;
  };
  readonly isStopping: () => boolean;
  /** An event has a new reply. */
  readonly replied?: (project: string, event: string) => void;
  /** The ledger that frames are charged to, in both directions. */
  readonly memory: Ledger;
}

/** The stream of one process. */
export interface SdkClients {
  readonly routes: readonly BoundRoute[];
  /** Takes a WebSocket request, as `upgrade` of node:http gives it; false if the path is not the stream's. */
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
/** Bytes of frames that the clients of one project may send a second, for long; twice as many for a moment. */
const BYTES_PER_SECOND = 4_194_304;
/** Connections in one process that have not shown a key yet. */
const MAX_STRANGERS = 2_000;

/** Connections of one project, and the feed that they share. */
interface ProjectClients {
  readonly feed: Feed;
  readonly connections: Set<Connection>;
}

export const createSdkClients = (parts: SdkClientParts): SdkClients => new SdkClientServer(parts);

/** All connections of this process. Made when the service starts, and empty once it has stopped. */
class SdkClientServer implements SdkClients {
  readonly routes: readonly BoundRoute[];
  readonly #parts: SdkClientParts;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  readonly #projects = new Map<string, ProjectClients>();
  readonly #connections = new Map<string, Connection>();
  /** Connections that have not shown a key yet; they belong to no project. */
  readonly #strangers = new Set<Connection>();
  /** Connections whose acknowledgements are not recorded. */
  readonly #moved = new Set<Connection>();
  #flushing: Promise<void> | null = null;
  #flusher: NodeJS.Timeout | undefined;
  /** Cursors that are being given up. */
  readonly #leaving = new Set<Promise<void>>();
  #beatAt = 0;
  #isStopped = false;
  #endings: (() => void)[] = [];
  readonly #ofConnection: ConnectionParts;

  constructor(parts: SdkClientParts) {
    const { db, now, metrics } = parts;
    this.#parts = parts;
    this.routes = clientsOf(db, now);
    const budget = createRate(BYTES_PER_SECOND);
    this.#ofConnection = {
      now,
      waitFor: ({ project }, bytes) => budget.take(project, bytes, now()),
      welcome: (connection, hello) => this.#welcome(connection, hello),
      replied: (connection, reply) => this.#store(connection, reply),
      acknowledged: (connection) => this.#note(connection),
      closed: (connection) => this.#forget(connection),
      failed: () => this.#failed(),
      sent: (lagMs) => {
        if (lagMs !== null) metrics.streamed(lagMs);
      },
    };
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const project = PATH.exec((request.url ?? '').split('?')[0] ?? '')?.[1];
    if (project === undefined) return false;
    socket.on('error', () => socket.destroy());
    this.#open(request, socket, head, project).catch((error: unknown) => refuse(socket, problemOf(error)));
    return true;
  }

  start(): void {
    const { db } = this.#parts;
    const ticker = setInterval(() => void this.#look().catch(() => this.#failed()), TICK_MS);
    this.#endings = [
      () => clearTimeout(this.#flusher),
      () => clearInterval(ticker),
      db.listen('log', (project) => this.#wake(project)),
      db.listen('clients', (payload) => this.#replace(payload)),
      db.listen('keys', (project) => void this.#authorizeAgain(project)),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const end of this.#endings) end();
    // Each named connection that is closed records its last acknowledgement and leaves its cursor.
    for (const connection of [...this.#connections.values()]) connection.close('going_away');
    await Promise.all(this.#leaving);
  }

  async #open(request: IncomingMessage, socket: Duplex, head: Buffer, project: string): Promise<void> {
    const { isStopping, now, metrics, memory } = this.#parts;
    if (isStopping()) throw new Problem('stopping', 'the service is stopping', { retryAfter: 1 });
    if (!isUuid(project)) throw new Problem('not_found', 'there is no such project');
    const headers = new Headers();
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      headers.set('authorization', authorization);
      await this.#authorize(headers, project);
    }
    this.#server.handleUpgrade(request, socket, head, (client) => {
      const held = new ConnectionMemory(memory);
      const caller = { id: newId(now()), project, headers, socket: client, held };
      const connection = new Connection(caller, this.#ofConnection);
      countBytes({ connection, client, socket, held });
      this.#connections.set(connection.id, connection);
      this.#strangers.add(connection);
      metrics.connected(1);
      // Many connections without a key close the oldest of them, and keep no client out.
      const [oldest] = this.#strangers;
      if (this.#strangers.size > MAX_STRANGERS) oldest?.close('timeout');
    });
  }

  async #authorize(headers: Headers, project: string): Promise<void> {
    const principal = await this.#parts.authenticate(headers);
    assertMayEnter(principal, { access: 'receive', method: 'GET', project, headers, origin: () => '' });
    // A cookie opens no stream: a page of another site could send it along.
    if (principal?.isSession === true) throw new Problem('unauthorized', 'the stream takes keys');
  }

  #clientsOf(project: string): ProjectClients {
    const clients = this.#projects.get(project) ?? {
      feed: new Feed(this.#parts.db, project),
      connections: new Set(),
    };
    this.#projects.set(project, clients);
    return clients;
  }

  async #welcome(
    connection: Connection,
    { key, client: name, from }: ClientFrame & { type: 'hello' },
  ): Promise<Welcome | Closing> {
    const { project, headers, id } = connection;
    if (key !== null) headers.set('authorization', `Bearer ${key}`);
    const refusal = await this.#refusal(headers, project);
    if (refusal !== null) return refusal;
    // It may have gone meanwhile, and must not stay in the project then.
    if (!this.#strangers.delete(connection)) return 'timeout';
    const { db, now } = this.#parts;
    const { feed, connections } = this.#clientsOf(project);
    if (connections.size >= MAX_CONNECTIONS) return 'too_fast';
    connections.add(connection);
    if (name === null) return { name, position: await feed.readHead(), resumed: false, feed };
    // `from` counts for a new name alone: a program that names one may be started again a year later.
    const isKnown = (await db.get(SELECT_CLIENT, [project, name])) !== undefined;
    if (!isKnown && !(await hasRoomForName(db, project))) return 'too_fast';
    const position = from === null || isKnown ? await feed.readHead() : await cursorFrom(db, project, from);
    if (position === null) return 'unknown_from';
    return { name, ...(await takeCursor(db, { project, name, connection: id, position }, now())), feed };
  }

  /** Null if the key may receive. */
  async #refusal(headers: Headers, project: string): Promise<Closing | null> {
    try {
      await this.#authorize(headers, project);
      return null;
    } catch (error) {
      const { code, status } = problemOf(error);
      if (status >= 500) throw error;
      return code === 'forbidden' ? 'forbidden' : 'unauthorized';
    }
  }

  async #store(
    { name, project }: Connection,
    { id, event_id, payload }: ClientFrame & { type: 'reply' },
  ): Promise<ServerFrame> {
    const { db, now, metrics } = this.#parts;
    const client = name ?? '';
    const result = await storeReply(db, { project, client, id, event_id, payload }, now());
    if (result === 'stored') this.#parts.replied?.(project, event_id);
    if (result === 'stored' || result === 'repeated') {
      metrics.replied(result);
      return { type: 'replied', id, event_id };
    }
    metrics.replied('refused');
    return refusedFrame({ id, event_id }, result);
  }

  #note(connection: Connection): void {
    if (connection.name === null) return;
    this.#moved.add(connection);
    this.#flushSoon();
    if (connection.isDue) void Promise.resolve(this.#flushing).then(() => this.#flush());
  }

  /** A service without acknowledgements does not wake up for them. */
  #flushSoon(): void {
    if (this.#isStopped) return;
    this.#flusher ??= setTimeout(() => {
      this.#flusher = undefined;
      void this.#flush();
    }, FLUSH_MS);
  }

  #forget(connection: Connection): void {
    const { db, now, metrics } = this.#parts;
    this.#connections.delete(connection.id);
    this.#strangers.delete(connection);
    metrics.connected(-1);
    const clients = this.#projects.get(connection.project);
    clients?.connections.delete(connection);
    if (clients?.connections.size === 0) this.#projects.delete(connection.project);
    if (connection.name === null) return;
    // A flush that is under way has begun before the last acknowledgements: the second one records them.
    const leaving = this.#flush()
      .then(() => this.#flush())
      .then(() => leaveCursor(db, heldBy(connection), now()))
      .catch(() => this.#failed())
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  #failed(): void {
    this.#parts.metrics.storeFailed('stream');
  }

  /** Records acknowledgements, one statement for all connections at a time. */
  #flush(): Promise<void> {
    this.#flushing ??= this.#flushOnce().finally(() => (this.#flushing = null));
    return this.#flushing;
  }

  /** After a failure the acknowledgements wait for the next flush. */
  async #flushOnce(): Promise<void> {
    const batch = [...this.#moved];
    if (batch.length === 0) return;
    this.#moved.clear();
    const { db, now } = this.#parts;
    try {
      const held = batch.map(heldBy);
      const lost = await acknowledge(db, held, now());
      for (const id of lost) this.#connections.get(id)?.close('replaced');
      batch.forEach((connection, i) => connection.saved(held[i]?.position ?? 0));
    } catch {
      this.#failed();
      for (const connection of batch) this.#moved.add(connection);
      this.#flushSoon();
    }
  }

  /** @param project - Empty if any project may have new entries. */
  #wake(project: string): void {
    const clients = project === '' ? [...this.#projects.values()] : [this.#projects.get(project)];
    for (const connection of clients.flatMap((one) => [...(one?.connections ?? [])])) connection.wake();
  }

  /** Somebody took a cursor: the connection in this process that had it is closed. */
  #replace(payload: string): void {
    const [project = '', name, holder] = payload.split(' ');
    for (const connection of this.#projects.get(project)?.connections ?? []) {
      if (connection.name === name && connection.id !== holder) connection.close('replaced');
    }
  }

  async #authorizeAgain(project: string): Promise<void> {
    const all = [...this.#connections.values()].filter(
      (connection) => connection.isWelcome && (project === '' || connection.project === project),
    );
    for (const connection of all) {
      const refusal = await this.#refusal(connection.headers, connection.project).catch(() => null);
      if (refusal !== null) connection.close('unauthorized');
    }
  }

  /** Records every cursor as seen, as an acknowledgement of what is acknowledged already. */
  #beat(): void {
    const at = this.#parts.now();
    if (Math.abs(at - this.#beatAt) < CURSOR_BEAT_MS) return;
    this.#beatAt = at;
    for (const connection of this.#connections.values()) {
      if (connection.isWelcome) this.#note(connection);
    }
  }

  /** Heart-beats, and keys and entries whose notifications were lost. */
  async #look(): Promise<void> {
    for (const connection of this.#connections.values()) connection.tick();
    if (this.#projects.size === 0) return;
    this.#beat();
    await this.#authorizeAgain('');
    const ids = JSON.stringify([...this.#projects.keys()]);
    const heads = await this.#parts.db.all<{ id: string; log_position: number }>(SELECT_HEADS, [ids]);
    for (const { id, log_position } of heads) {
      if (log_position > (this.#projects.get(id)?.feed.head ?? 0)) this.#wake(id);
    }
  }
}

const heldBy = (connection: Connection): Held => ({
  project: connection.project,
  name: connection.name ?? '',
  connection: connection.id,
  position: connection.acknowledgedTo,
});

/** Answers a request that is not upgraded. */
function refuse(socket: Duplex, { code, message, status }: Problem): void {
  const [, title] = PROBLEMS[code];
  const body = JSON.stringify({ type: problemType(code), title, status, code, detail: message });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
