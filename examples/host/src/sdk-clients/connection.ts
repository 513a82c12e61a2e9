/** One connection of an SDK client, from its first frame to its close. */
import type { WebSocket } from 'ws';
import type { Feed } from './feed.js';
import type { ConnectionMemory } from './connection-memory.js';
import { Outgoing } from './outgoing.js';
import { refusedFrame } from './replies.js';
import {
  type ClientFrame,
  type Closing,
  CLOSINGS,
  frameText,
  HEARTBEAT_MS,
  HELLO_MS,
  MAX_HELLO_BYTES,
  MAX_REPLY_BYTES,
  readFrame,
  type ServerFrame,
  SILENCE_MS,
  WINDOW,
} from './protocol.js';

/** The part of the server that a connection needs. */
export interface ConnectionParts {
  readonly now: () => number;
  /** Takes the first frame; resolves with where the client stands, or with why it may not come in. */
  readonly welcome: (
    connection: Connection,
    hello: ClientFrame & { type: 'hello' },
  ) => Promise<Welcome | Closing>;
  /**
   * Takes a frame out of what the project may send.
   *
   * @returns 0 if it may be read; otherwise the ms until it may, and nothing was taken.
   */
  readonly waitFor: (connection: Connection, bytes: number) => number;
  /** Called for each acknowledgement that moves the cursor. */
  readonly acknowledged: (connection: Connection) => void;
  /** Called for each reply; resolves with the frame that answers it. */
  readonly replied: (connection: Connection, reply: ClientFrame & { type: 'reply' }) => Promise<ServerFrame>;
  readonly sent: (lagMs: number | null) => void;
  readonly closed: (connection: Connection) => void;
  readonly failed: (error: unknown) => void;
}

/** The cursor of a client in the log. */
export interface Welcome {
  readonly name: string | null;
  readonly position: number;
  readonly resumed: boolean;
  readonly feed: Feed;
}

/** Frames a second that a client may send, and how many at once. Beyond it the connection is closed. */
const FRAMES_PER_SECOND = 1_000;
const FRAMES_AT_ONCE = 5_000;
/** A frame with this many bytes more counts as one more. */
const BYTES_OF_FRAME = 8_192;
/** Reading the smallest frame takes as much work as this many bytes of a large one. */
const BYTES_OF_SMALLEST = 256;
/** Replies that are being stored at once; beyond it nothing more is read from the client. */
const MAX_REPLIES = 16;

/** The client at the other end, and what it makes the process hold. */
export interface Caller {
  readonly id: string;
  readonly project: string;
  /** The key that was given in a header, if one was. */
  readonly headers: Headers;
  readonly socket: WebSocket;
  readonly held: ConnectionMemory;
}

/**
 * Made with a socket, and gone with it. It holds no event: what it sends is read from the feed at the client's pace.
 */
export class Connection {
  readonly id: string;
  readonly project: string;
  /** The key that was given in a header, if one was. */
  readonly headers: Headers;
  readonly #socket: WebSocket;
  readonly #held: ConnectionMemory;
  readonly #outgoing: Outgoing;
  readonly #parts: ConnectionParts;
  readonly #openedAt: number;
  #at: Welcome | null = null;
  /** Position of the last entry that was sent, and of the last that was acknowledged. */
  #sent = 0;
  #acknowledged = 0;
  /** The last acknowledgement that is on the disk: if this process is killed, the client goes on after it. */
  #saved = 0;
  #heardAt: number;
  #spokeAt: number;
  #tokens = FRAMES_AT_ONCE;
  #tokensAt: number;
  #replies = 0;
  /** Frames that came before their project may send more: few, since nothing is read meanwhile. */
  readonly #unread: (readonly [data: Buffer, isBinary: boolean])[] = [];
  #isOpen = true;
  #isGreeting = false;
  #isPumping = false;
  #isWoken = false;
  /** True after the project had no room for an entry, until there may be some again. */
  #isShort = false;

  constructor({ id, project, headers, socket, held }: Caller, parts: ConnectionParts) {
    this.id = id;
    this.project = project;
    this.headers = headers;
    this.#socket = socket;
    this.#held = held;
    this.#parts = parts;
    this.#outgoing = new Outgoing(socket, {
      ...{ now: parts.now, held },
      moved: () => this.#moved(),
      hasRoomAgain: () => this.#resume(),
    });
    this.#openedAt = this.#heardAt = this.#spokeAt = this.#tokensAt = parts.now();
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#hear(data, isBinary));
    socket.on('close', () => this.#end());
    socket.on('error', () => socket.terminate());
  }

  get name(): string | null {
    return this.#at?.name ?? null;
  }

  get acknowledgedTo(): number {
    return this.#acknowledged;
  }

  /** True once enough acknowledgements are unsaved that the client would soon have to wait. */
  get isDue(): boolean {
    return this.#acknowledged - this.#saved >= WINDOW / 2;
  }

  /** The acknowledgements up to a position are on the disk. */
  saved(position: number): void {
    this.#saved = Math.max(this.#saved, position);
    this.wake();
  }

  /** True once the client has been let in. */
  get isWelcome(): boolean {
    return this.#at !== null && this.#isOpen;
  }

  /** There may be new entries. */
  wake(): void {
    if (this.#isPumping) this.#isWoken = true;
    else void this.#pump();
  }

  /** Heart-beats and deadlines; called every few seconds. */
  tick(): void {
    const at = this.#parts.now();
    if (this.#at === null && at - this.#openedAt >= HELLO_MS && !this.#isGreeting) this.close('timeout');
    else if (at - this.#heardAt >= SILENCE_MS || this.#outgoing.isStalled(at)) this.close('timeout');
    else if (this.#at !== null && at - this.#spokeAt >= HEARTBEAT_MS) this.#send({ type: 'ping' });
    this.#isShort = false;
    this.wake();
  }

  /** Says why, and closes. A client that does not answer is cut off soon after. */
  close(why: Closing): void {
    if (!this.#isOpen) return;
    const [code, message] = CLOSINGS[why];
    this.#send({ type: 'bye', code: why, message });
    this.#socket.close(code, why);
    // The system drops what it has not sent yet when a socket is closed with bytes that nobody has read.
    this.#socket.resume();
    setTimeout(() => this.#socket.terminate(), 1_000).unref();
    this.#end();
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#parts.closed(this);
  }

  #send(frame: ServerFrame): void {
    if (!this.#isOpen) return;
    this.#spokeAt = this.#parts.now();
    this.#outgoing.sendAnswer(frameText(frame));
    if (!this.#outgoing.hasRoomForAnswers) this.#socket.pause();
  }

  /** The log is read on once the socket has room again. */
  #moved(): void {
    this.#isShort = false;
    if (this.#isWoken && !this.#isPumping) this.wake();
  }

  #hear(data: Buffer, isBinary: boolean): void {
    if (!this.#isOpen) return;
    this.#heardAt = this.#parts.now();
    if (!this.#mayHear(data.byteLength)) {
      this.close('too_fast');
      return;
    }
    this.#held.incoming.add(data.byteLength);
    this.#unread.push([data, isBinary]);
    if (this.#unread.length === 1) this.#read();
  }

  /** Reads frames until one must wait, for which the project has to send less. */
  #read(): void {
    for (let next = this.#unread[0]; next !== undefined && this.#isOpen; next = this.#unread[0]) {
      const [data, isBinary] = next;
      // A client without a key uses up nothing of the budget of a project.
      const wait = this.#at === null ? 0 : this.#parts.waitFor(this, data.byteLength + BYTES_OF_SMALLEST);
      if (wait > 0) {
        this.#socket.pause();
        setTimeout(() => this.#read(), Math.ceil(wait)).unref();
        return;
      }
      this.#unread.shift();
      this.#act(data, isBinary);
      this.#held.incoming.add(-data.byteLength);
    }
    this.#resume();
  }

  #resume(): void {
    const mayRead = this.#unread.length === 0 && this.#replies < MAX_REPLIES;
    if (mayRead && this.#outgoing.hasRoomForAnswers) this.#socket.resume();
  }

  #act(data: Buffer, isBinary: boolean): void {
    const isTooLarge = this.#at === null && data.byteLength > MAX_HELLO_BYTES;
    const frame = isBinary || isTooLarge ? null : readFrame(data.toString());
    if (frame === null) this.close('protocol_error');
    else if (frame.type === 'ping') this.#send({ type: 'pong' });
    else if (frame.type === 'hello') this.#greet(frame);
    else if (frame.type !== 'pong' && frame.type !== 'unknown') {
      this.#take(frame, data.byteLength);
    }
  }

  /** A token bucket. */
  #mayHear(bytes: number): boolean {
    const at = this.#heardAt;
    this.#tokens = Math.min(
      FRAMES_AT_ONCE,
      this.#tokens + ((at - this.#tokensAt) * FRAMES_PER_SECOND) / 1_000,
    );
    this.#tokensAt = at;
    this.#tokens -= 1 + bytes / BYTES_OF_FRAME;
    return this.#tokens >= 0;
  }

  #greet(hello: ClientFrame & { type: 'hello' }): void {
    if (this.#at !== null || this.#isGreeting) {
      this.close('protocol_error');
      return;
    }
    this.#isGreeting = true;
    this.#parts.welcome(this, hello).then(
      (welcome) => (typeof welcome === 'string' ? this.close(welcome) : this.#letIn(welcome)),
      (error: unknown) => {
        this.#parts.failed(error);
        this.close('going_away');
      },
    );
  }

  #letIn(welcome: Welcome): void {
    const { name: client, position, resumed } = welcome;
    this.#at = welcome;
    this.#held.letIn(this.project);
    this.#sent = this.#acknowledged = this.#saved = position;
    const limits = { window: WINDOW, heartbeat_ms: HEARTBEAT_MS, max_reply_bytes: MAX_REPLY_BYTES };
    this.#send({ type: 'welcome', client, position, resumed, ...limits });
    this.wake();
  }

  #take(frame: ClientFrame & { type: 'ack' | 'reply' | 'malformed_reply' }, bytes: number): void {
    if (this.#at === null || (frame.type === 'ack' && frame.position > this.#sent)) {
      this.close('protocol_error');
    } else if (frame.type === 'ack') this.#acknowledge(frame.position);
    else if (frame.type === 'reply') this.#reply(frame, bytes);
    else this.#send(refusedFrame(frame, 'invalid_reply'));
  }

  #acknowledge(position: number): void {
    if (position <= this.#acknowledged) return;
    this.#acknowledged = position;
    this.#parts.acknowledged(this);
    this.wake();
  }

  /** @param bytes - The bytes of the whole frame, which stays in memory with its payload. */
  #reply(frame: ClientFrame & { type: 'reply' }, bytes: number): void {
    const giveBack = this.#held.keep(bytes);
    this.#replies++;
    if (this.#replies >= MAX_REPLIES) this.#socket.pause();
    this.#parts
      .replied(this, frame)
      .then(
        (answer) => this.#send(answer),
        (error: unknown) => {
          // Not stored, so not answered: the client sends it again after it has come back.
          this.#parts.failed(error);
          this.close('going_away');
        },
      )
      .finally(() => {
        giveBack();
        this.#replies--;
        this.#resume();
      });
  }

  async #pump(): Promise<void> {
    if (this.#at === null || !this.#isOpen) return;
    const { feed } = this.#at;
    this.#isPumping = true;
    try {
      do {
        this.#isWoken = false;
        while (this.#hasRoom() && (await this.#sendSome(feed)));
      } while (this.#isWoken && this.#hasRoom());
    } catch (error) {
      // The database is away; the next tick tries again.
      this.#parts.failed(error);
    } finally {
      this.#isPumping = false;
    }
  }

  /** True if more entries may follow. */
  async #sendSome(feed: Feed): Promise<boolean> {
    const { gap, entries } = await feed.after(this.#sent);
    if (gap !== null && this.#isOpen) {
      this.#send({ type: 'gap', ...gap });
      this.#sent = gap.to;
    }
    for (const entry of entries) {
      if (!this.#hasRoom()) break;
      if (entry.position !== this.#sent + 1) return true;
      this.#isShort = !this.#outgoing.sendEntry(entry.text);
      if (this.#isShort) break;
      this.#spokeAt = this.#parts.now();
      this.#sent = entry.position;
      this.#parts.sent(entry.receivedAt === null ? null : this.#parts.now() - entry.receivedAt);
    }
    return gap !== null || entries.length > 0;
  }

  #hasRoom(): boolean {
    // Never more than a client can recognize when it comes again after a crash.
    const settled = this.name === null ? this.#acknowledged : this.#saved;
    if (!this.#isOpen || this.#sent - settled >= WINDOW) return false;
    if (!this.#isShort && this.#outgoing.hasRoomForLog) return true;
    this.#isWoken = true;
    return false;
  }
}
