/**
 * A host that keeps the protocol of docs/clients.md on real sockets, with its log in memory, for tests of the client.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A frame, as JSON. */
export type Frame = Readonly<Record<string, unknown>>;

interface Connection {
  readonly socket: WebSocket;
  readonly name: string | null;
  sent: number;
  acknowledged: number;
}

/** Close codes by key; the host welcomes every other key. */
const CLOSE_CODES: Readonly<Record<string, number>> = { hg_revoked: 4001, hg_read: 4403 };

/** One host. It can be stopped and started again on its port; log, cursors and replies stay. */
export class StreamHost {
  readonly log: string[] = [];
  readonly cursors = new Map<string, number>();
  readonly replies = new Map<string, unknown>();
  /** Every frame that came, in order. */
  readonly received: Frame[] = [];
  /** Called with each frame before it is handled; `true` where nothing more is to be done with it. */
  intercept: (frame: Frame, socket: WebSocket) => boolean = () => false;
  heartbeatMs = 20_000;
  window = 64;
  readonly #connections = new Set<Connection>();
  #server: WebSocketServer | null = null;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get connections(): number {
    return this.#connections.size;
  }

  async start(): Promise<this> {
    const handleProtocols = (protocols: Set<string>): string | false =>
      protocols.has('headgate.v1') && 'headgate.v1';
    const server = new WebSocketServer({ host: '127.0.0.1', port: this.#port, handleProtocols });
    server.on('connection', (socket) => this.#greet(socket));
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  /** Breaks every connection, without a word. */
  kill(): void {
    for (const { socket } of this.#connections) socket.terminate();
    this.#connections.clear();
  }

  /** Stops listening, as a killed process does. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = once(server, 'close');
    server.clients.forEach((socket) => socket.terminate());
    server.close();
    this.#connections.clear();
    await closed;
  }

  /** Closes every connection with a code. */
  closeAll(code: number, message = ''): void {
    for (const { socket } of this.#connections) {
      if (message !== '') send(socket, { type: 'bye', code: 'x', message });
      socket.close(code);
    }
  }

  append(count: number): void {
    for (let n = 0; n < count; n++) this.log.push(`evt_${this.log.length + 1}`);
    for (const connection of this.#connections) this.#fill(connection);
  }

  #greet(socket: WebSocket): void {
    let connection: Connection | null = null;
    socket.on('error', () => undefined);
    socket.on('close', () => connection !== null && this.#connections.delete(connection));
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as Frame;
      this.received.push(frame);
      if (this.intercept(frame, socket)) return;
      if (frame.type === 'hello') connection = this.#welcome(frame, socket);
      else if (connection !== null) this.#take(frame, connection);
    });
  }

  #welcome({ key, client }: Frame, socket: WebSocket): Connection | null {
    const code = CLOSE_CODES[String(key)];
    if (code !== undefined) {
      socket.close(code);
      return null;
    }
    const name = typeof client === 'string' ? client : null;
    for (const other of this.#connections) {
      if (name !== null && other.name === name) other.socket.close(4002);
    }
    const cursor = name === null ? undefined : this.cursors.get(name);
    const position = cursor ?? (name === null ? this.log.length : 0);
    if (name !== null) this.cursors.set(name, position);
    const connection = { socket, name, sent: position, acknowledged: position };
    this.#connections.add(connection);
    const limits = { window: this.window, heartbeat_ms: this.heartbeatMs, max_reply_bytes: 262_144 };
    send(socket, { type: 'welcome', client: name, position, resumed: cursor !== undefined, ...limits });
    this.#fill(connection);
    return connection;
  }

  #take(frame: Frame, connection: Connection): void {
    const { socket, name } = connection;
    if (frame.type === 'ping') {
      send(socket, { type: 'pong' });
    } else if (frame.type === 'ack') {
      connection.acknowledged = frame.position as number;
      if (name !== null) this.cursors.set(name, frame.position as number);
      this.#fill(connection);
    } else if (frame.type === 'reply') {
      const { id, event_id, payload } = frame as Readonly<Record<'id' | 'event_id' | 'payload', string>>;
      const key = `${event_id} ${id}`;
      if (this.log.includes(event_id)) {
        if (!this.replies.has(key)) this.replies.set(key, payload);
        send(socket, { type: 'replied', id, event_id });
      } else {
        send(socket, { type: 'refused', id, event_id, code: 'unknown_event', message: 'no such event' });
      }
    }
  }

  #fill(connection: Connection): void {
    while (connection.sent < this.log.length && connection.sent - connection.acknowledged < this.window) {
      connection.sent++;
      const event = { id: this.log[connection.sent - 1], type: 'webhook.received', data: {} };
      send(connection.socket, { type: 'event', position: connection.sent, origin: 'live', event });
    }
  }
}

const send = (socket: WebSocket, frame: Frame): void => socket.send(JSON.stringify(frame));
