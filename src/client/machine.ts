/**
 * The protocol as a state machine: frames, the time, and the ends of handlers go in; effects come out. It reads no
 * clock, sets no timer and has no socket: `client.ts` does. docs/clients.md has the protocol, and a diagram of the
 * states.
 */
import { clientError, type ClientError, type ClientErrorCode } from './client-error.js';
import { BREAKS, ENDS, NORMAL, PROTOCOL_ERROR, TIMEOUT } from './close-codes.js';
import { type Hello, readFrame, type ServerFrame, type WelcomeFrame } from './frames.js';
import { Inbox } from './inbox.js';
import { createOutbox, type Reply } from './outbox.js';
import type { ClientEvent, ClientState, ErrorDetails, StateChange, Tell } from './types.js';

/** The effects that the machine asks for. None of these calls the machine before it has returned. */
export interface Effects {
  /** Opens a socket. */
  readonly connect: () => void;
  /** Sends a frame. */
  readonly send: (text: string) => void;
  /** Closes the socket. With `forget`, nothing that it does from then on matters. */
  readonly disconnect: (code: number, forget: boolean) => void;
  /** Calls the handler. */
  readonly handle: (received: ClientEvent) => void;
  /** Calls listeners. */
  readonly tell: Tell;
}

/** Longest time from the start of a connection to the host's welcome. */
const WELCOME_MS = 15_000;
/** Silence of the other side, in heartbeats, after which the connection counts as dead. */
const SILENT_HEARTBEATS = 2.25;
/** Bound of the first delay before connecting again, which is random from 0 up; it doubles up to the last. */
const RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 30_000;
/** A connection that lasts this long makes the next failure the first one. */
const STABLE_MS = 10_000;
/**
 * Bound of the first delay before a handler's next attempt, which is random from half of it up; it doubles up to the
 * last.
 */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Longest time that an acknowledgement waits for others to be sent with it. */
const ACK_MS = 50;
/** Longest time to wait for the host to close. */
const CLOSE_MS = 2_000;

const OF_CONNECTION = ['welcome', 'ping', 'silence', 'ack'] as const;

/** Things that are to happen at a certain time. */
type Deadline = 'welcome' | 'reconnect' | 'ping' | 'silence' | 'ack' | 'retry' | 'drained' | 'closed';

/**
 * One client's side of the protocol, for the life of the client. Call {@link Machine.at} before each of the other
 * methods. All times are in milliseconds.
 */
export class Machine {
  readonly #hello: Hello;
  readonly #random: () => number;
  readonly #effects: Effects;
  readonly #inbox = new Inbox();
  readonly #outbox = createOutbox((text) => this.#send(text));
  #now = 0;
  #state: ClientState = 'connecting';
  /** The socket: `opening` until the host's welcome. */
  #link: 'none' | 'opening' | 'open' | 'closing' = 'none';
  #welcomedAt = 0;
  #heartbeatMs = 0;
  #window = 1;
  /** The host's words before it closes. */
  #bye = '';
  /** Connections that failed in a row. */
  #failures = 0;
  #hasHandler = false;
  #due: Partial<Record<Deadline, number>> = {};

  /** @param random - Draws from 0 up to 1. */
  constructor(hello: Hello, random: () => number, effects: Effects) {
    this.#hello = hello;
    this.#random = random;
    this.#effects = effects;
  }

  state(): ClientState {
    return this.#state;
  }

  /** The time at which to call {@link Machine.wake}; `Infinity` when nothing waits. */
  wakeAt(): number {
    return Math.min(...Object.values(this.#due));
  }

  /** Sets the time. */
  at(now: number): this {
    this.#now = now;
    return this;
  }

  /** Connects for the first time. */
  start(): void {
    if (this.#state === 'connecting') this.#connect();
  }

  /** The socket is open. */
  opened(): void {
    this.#sendFrame({ type: 'hello', ...this.#hello });
  }

  /** A message has arrived. */
  received(data: unknown): void {
    if (this.#link === 'none' || this.#link === 'closing') return;
    if (this.#link === 'open') this.#due.silence = this.#now + SILENT_HEARTBEATS * this.#heartbeatMs;
    const frame = readFrame(data);
    if (frame !== null && this.#accept(frame)) this.#finish();
    else this.#drop(PROTOCOL_ERROR, 'protocol_error', frame?.type);
  }

  /** The socket was closed, by either side, or could not be opened. `said` is the runtime's explanation. */
  lost(code: number, said: string): void {
    if (this.#link === 'none') return;
    const otherwise = this.#link === 'open' ? 'connection_lost' : 'connection_failed';
    this.#disconnected(ENDS[code] ?? BREAKS[code] ?? otherwise, this.#bye || said, code in ENDS);
  }

  /** Sets whether there is a handler from now on. */
  listen(hasHandler: boolean): void {
    this.#hasHandler = hasHandler;
    this.#advance();
    this.#retry();
  }

  /** The handler has ended: `null` if it succeeded, else its error. */
  settled(error: ClientError | null): void {
    if (this.#state === 'closed' || this.#link === 'closing') return;
    if (error === null) this.#inbox.succeed();
    else this.#rest(error);
    this.#advance();
    this.#finish();
  }

  reply(reply: Reply): void {
    if (this.#state === 'closed') reply.settle(clientError('closed'));
    else this.#outbox.add(reply);
  }

  /**
   * Takes no more events, and ends once the running handler and the replies on their way are done, or after `waitMs`.
   */
  close(waitMs: number): void {
    if (this.#state === 'closed' || this.#link === 'closing') return;
    if (this.#state !== 'closing') this.#change({ state: 'closing' });
    delete this.#due.reconnect;
    delete this.#due.retry;
    this.#due.drained = Math.min(this.#now + waitMs, this.#due.drained ?? Infinity);
    if (this.#link === 'opening') this.#drop(NORMAL, 'closed');
    else this.#finish();
  }

  /** Does everything that is due. */
  wake(): void {
    for (const name of Object.keys(this.#due) as Deadline[]) {
      if ((this.#due[name] ?? Infinity) > this.#now) continue;
      delete this.#due[name];
      this.#whenDue[name]();
    }
  }

  readonly #whenDue: Readonly<Record<Deadline, () => void>> = {
    welcome: () => this.#drop(TIMEOUT, 'timeout'),
    reconnect: () => this.#connect(),
    ping: () => this.#sendFrame({ type: 'ping' }),
    silence: () => this.#drop(TIMEOUT, 'timeout'),
    ack: () => this.#acknowledge(),
    retry: () => this.#retry(),
    drained: () => this.#finish(),
    closed: () => {
      this.#effects.disconnect(NORMAL, true);
      this.#end(null);
    },
  };

  #send(text: string): void {
    this.#effects.send(text);
    if (this.#link === 'open') this.#due.ping = this.#now + this.#heartbeatMs;
  }

  #sendFrame(frame: object): void {
    this.#send(JSON.stringify(frame));
  }

  #change(to: StateChange): void {
    this.#state = to.state;
    this.#effects.tell('state', to);
  }

  #tellError(error: ClientError, details: ErrorDetails): void {
    this.#effects.tell('error', error, details);
  }

  #connect(): void {
    this.#link = 'opening';
    this.#due.welcome = this.#now + WELCOME_MS;
    this.#change({ state: 'connecting' });
    this.#effects.connect();
  }

  #end(error: ClientError | null): void {
    this.#due = {};
    this.#link = 'none';
    this.#outbox.abandon(error);
    this.#change({ state: 'closed', reason: error });
    if (error !== null) this.#tellError(error, {});
  }

  /** Ends a client that is closing, unless there is something to wait for. */
  #finish(): void {
    if (this.#state !== 'closing' || this.#link === 'closing') return;
    if (this.#due.drained !== undefined && (this.#inbox.isBusy() || this.#outbox.isBusy())) return;
    if (this.#link === 'none') {
      this.#end(null);
      return;
    }
    if (this.#inbox.owed() > 0) this.#acknowledge();
    this.#link = 'closing';
    this.#due = { closed: this.#now + CLOSE_MS };
    this.#effects.disconnect(NORMAL, false);
  }

  #disconnected(code: ClientErrorCode, said: string, ends: boolean): void {
    if (this.#link === 'open' && this.#now - this.#welcomedAt >= STABLE_MS) this.#failures = 0;
    this.#link = 'none';
    this.#bye = '';
    for (const deadline of OF_CONNECTION) delete this.#due[deadline];
    this.#inbox.end();
    this.#outbox.end();
    const error = clientError(code, said);
    if (this.#state === 'closing') this.#finish();
    else if (ends) this.#end(error);
    else this.#reconnect(error);
  }

  #reconnect(reason: ClientError): void {
    const delayMs = this.#random() * Math.min(MAX_RECONNECT_MS, RECONNECT_MS * 2 ** this.#failures++);
    this.#due.reconnect = this.#now + delayMs;
    this.#change({ state: 'waiting', delayMs, reason });
    // A host announces that it is stopping; that is not a fault.
    if (reason.code !== 'going_away') this.#tellError(reason, { retryMs: delayMs });
  }

  /** Gives the connection up from this side. */
  #drop(closeCode: number, code: ClientErrorCode, why = ''): void {
    this.#effects.disconnect(closeCode, true);
    this.#disconnected(code, why, false);
  }

  #acknowledge(): void {
    delete this.#due.ack;
    this.#sendFrame({ type: 'ack', position: this.#inbox.acknowledge() });
  }

  /** Passes what can be passed, gives the handler the next event, and acknowledges. */
  #advance(): void {
    const inbox = this.#inbox;
    for (let gap = inbox.advance(); gap !== null; gap = inbox.advance()) this.#effects.tell('gap', gap);
    if (this.#hasHandler && this.#state === 'open') this.#handle(inbox.start());
    if (inbox.owed() * 2 >= this.#window) this.#acknowledge();
    else if (inbox.owed() > 0) this.#due.ack ??= this.#now + ACK_MS;
  }

  #handle(received: ClientEvent | null): void {
    if (received !== null) this.#effects.handle(received);
  }

  #isEnding(): boolean {
    return this.#state === 'closing' || this.#state === 'closed';
  }

  /** Keeps the event for another attempt after its handler failed. */
  #rest(error: ClientError): void {
    const received = this.#inbox.fail();
    const boundMs = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (received.attempt - 1));
    const retryMs = boundMs * (0.5 + this.#random() / 2);
    if (!this.#isEnding()) this.#due.retry = this.#now + retryMs;
    this.#tellError(error, this.#isEnding() ? { received } : { retryMs, received });
  }

  /** Makes the next attempt with the event that rests, if one is due. */
  #retry(): void {
    if (this.#hasHandler && !this.#isEnding() && this.#due.retry === undefined) {
      this.#handle(this.#inbox.retry());
    }
  }

  #welcome(frame: WelcomeFrame): void {
    const { position, resumed, heartbeat_ms, max_reply_bytes } = frame;
    this.#link = 'open';
    this.#welcomedAt = this.#now;
    this.#heartbeatMs = heartbeat_ms;
    this.#window = frame.window;
    delete this.#due.welcome;
    this.#due.ping = this.#now + heartbeat_ms;
    this.#due.silence = this.#now + SILENT_HEARTBEATS * heartbeat_ms;
    this.#change({ state: 'open', position, resumed });
    this.#inbox.begin(frame);
    this.#outbox.begin(max_reply_bytes);
    this.#advance();
  }

  /** Takes a frame. Returns `false` for one that must not arrive now. */
  #accept(frame: ServerFrame): boolean {
    switch (frame.type) {
      case 'welcome':
        if (this.#link === 'open') return false;
        this.#welcome(frame);
        return true;
      case 'event':
      case 'gap': {
        if (this.#state === 'closing') return true;
        const isTaken = this.#link === 'open' && this.#inbox.take(frame);
        this.#advance();
        return isTaken;
      }
      case 'replied':
      case 'refused':
        this.#outbox.answer(frame);
        break;
      case 'ping':
        this.#sendFrame({ type: 'pong' });
        break;
      case 'bye':
        this.#bye = frame.message;
    }
    return true;
  }
}
