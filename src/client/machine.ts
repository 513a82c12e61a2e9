/**
 * The protocol as a state machine: frames, the time, and the ends of handlers go in; effects come out. It reads no clock, sets no
 * timer and has no socket: `client.ts` does. docs/clients.md has the protocol, and a diagram of the states.
 */
import { clientError, type ClientError, type ClientErrorCode } from './client-error.js';
import { BREAKS, ENDS, NORMAL, PROTOCOL_ERROR, TIMEOUT } from './close-codes.js';
import { type Hello, readFrame, type ServerFrame, type WelcomeFrame } from './frames.js';
import { createInbox } from './inbox.js';
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

/** One client's side of the protocol. All times are in milliseconds. */
export interface Machine {
  readonly state: () => ClientState;
  /** When {@link Machine.wake} is due; `Infinity` where nothing waits. */
  readonly wakeAt: () => number;
  /** Sets the time; to be called before each of the others. */
  readonly at: (now: number) => Machine;
  /** Connects for the first time. */
  start(): void;
  /** The socket is open. */
  opened(): void;
  /** A message has come. */
  received(data: unknown): void;
  /** The socket is closed, by whichever side, or could not be opened. `said` is what the runtime says of it. */
  lost(code: number, said: string): void;
  /** There is a handler from now on, or none. */
  listen(hasHandler: boolean): void;
  /** The handler has ended: `null` where it succeeded, else its error. */
  settled(error: ClientError | null): void;
  reply(reply: Reply): void;
  /** Takes no more, and ends once the handler that runs and the replies on their way are through, or after `waitMs`. */
  close(waitMs: number): void;
  /** Does what is due. */
  wake(): void;
}

/** Longest time from the start of a connection to the host's welcome. */
const WELCOME_MS = 15_000;
/** Silence of the other side, in heartbeats, after which the connection counts as dead. */
const SILENT_HEARTBEATS = 2.25;
/** Bound of the first delay before connecting again, which is random from 0 up; it doubles up to the last. */
const RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 30_000;
/** A connection that lasted so long makes the next failure the first one. */
const STABLE_MS = 10_000;
/** Bound of the first delay before a handler's next attempt, which is random from half of it up; it doubles up to the last. */
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Longest time that an acknowledgement waits for others to go with it. */
const ACK_MS = 50;
/** Longest time to wait for the host to close. */
const CLOSE_MS = 2_000;

const OF_CONNECTION = ['welcome', 'ping', 'silence', 'ack'] as const;

/** Things that are to happen at a certain time. */
type Deadline = 'welcome' | 'reconnect' | 'ping' | 'silence' | 'ack' | 'retry' | 'drained' | 'closed';

/**
 * The machine of a client that is not connected yet.
 *
 * @param random - Draws from 0 up to 1.
 */
export function createMachine(hello: Hello, random: () => number, effects: Effects): Machine {
  let now = 0;
  let state: ClientState = 'connecting';
  /** The socket: `opening` until the host's welcome. */
  let link: 'none' | 'opening' | 'open' | 'closing' = 'none';
  let welcomedAt = 0;
  let heartbeatMs = 0;
  let window = 1;
  /** The host's words before it closes. */
  let bye = '';
  /** Connections that failed in a row. */
  let failures = 0;
  let hasHandler = false;
  let due: Partial<Record<Deadline, number>> = {};

  const send = (text: string): void => {
    effects.send(text);
    if (link === 'open') due.ping = now + heartbeatMs;
  };
  const sendFrame = (frame: object): void => send(JSON.stringify(frame));
  const inbox = createInbox();
  const outbox = createOutbox(send);

  const change = (to: StateChange): void => {
    state = to.state;
    effects.tell('state', to);
  };
  const tellError = (error: ClientError, details: ErrorDetails): void =>
    effects.tell('error', error, details);

  const connect = (): void => {
    link = 'opening';
    due.welcome = now + WELCOME_MS;
    change({ state: 'connecting' });
    effects.connect();
  };

  const end = (error: ClientError | null): void => {
    due = {};
    link = 'none';
    outbox.abandon(error);
    change({ state: 'closed', reason: error });
    if (error !== null) tellError(error, {});
  };

  /** Ends a client that is closing, unless there is something to wait for. */
  const finish = (): void => {
    if (state !== 'closing' || link === 'closing') return;
    if (due.drained !== undefined && (inbox.isBusy() || outbox.isBusy())) return;
    if (link === 'none') {
      end(null);
      return;
    }
    if (inbox.owed() > 0) acknowledge();
    link = 'closing';
    due = { closed: now + CLOSE_MS };
    effects.disconnect(NORMAL, false);
  };

  const disconnected = (code: ClientErrorCode, said: string, ends: boolean): void => {
    if (link === 'open' && now - welcomedAt >= STABLE_MS) failures = 0;
    link = 'none';
    bye = '';
    for (const deadline of OF_CONNECTION) delete due[deadline];
    inbox.end();
    outbox.end();
    const error = clientError(code, said);
    if (state === 'closing') finish();
    else if (ends) end(error);
    else reconnect(error);
  };

  const reconnect = (reason: ClientError): void => {
    const delayMs = random() * Math.min(MAX_RECONNECT_MS, RECONNECT_MS * 2 ** failures++);
    due.reconnect = now + delayMs;
    change({ state: 'waiting', delayMs, reason });
    // A host that is stopped says so in good time, which is no fault.
    if (reason.code !== 'going_away') tellError(reason, { retryMs: delayMs });
  };

  /** Gives the connection up from this side. */
  const drop = (closeCode: number, code: ClientErrorCode, why = ''): void => {
    effects.disconnect(closeCode, true);
    disconnected(code, why, false);
  };

  const acknowledge = (): void => {
    delete due.ack;
    sendFrame({ type: 'ack', position: inbox.acknowledge() });
  };

  /** Passes what can be passed, gives the handler the next event, and acknowledges. */
  const advance = (): void => {
    for (let gap = inbox.advance(); gap !== null; gap = inbox.advance()) effects.tell('gap', gap);
    if (hasHandler && state === 'open') handle(inbox.start());
    if (inbox.owed() * 2 >= window) acknowledge();
    else if (inbox.owed() > 0) due.ack ??= now + ACK_MS;
  };

  const handle = (received: ClientEvent | null): void => {
    if (received !== null) effects.handle(received);
  };
  const isEnding = (): boolean => state === 'closing' || state === 'closed';

  /** The handler has failed: the event rests. */
  const rest = (error: ClientError): void => {
    const received = inbox.fail();
    const retryMs = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (received.attempt - 1)) * (0.5 + random() / 2);
    if (!isEnding()) due.retry = now + retryMs;
    tellError(error, isEnding() ? { received } : { retryMs, received });
  };

  /** Makes the next attempt with the event that rests, where one is due. */
  const retry = (): void => {
    if (hasHandler && !isEnding() && due.retry === undefined) handle(inbox.retry());
  };

  const welcome = (frame: WelcomeFrame): void => {
    const { position, resumed, heartbeat_ms, max_reply_bytes } = frame;
    link = 'open';
    welcomedAt = now;
    heartbeatMs = heartbeat_ms;
    ({ window } = frame);
    delete due.welcome;
    due.ping = now + heartbeatMs;
    due.silence = now + SILENT_HEARTBEATS * heartbeatMs;
    change({ state: 'open', position, resumed });
    inbox.begin(frame);
    outbox.begin(max_reply_bytes);
    advance();
  };

  /** Takes a frame; false where it may not come now. */
  const accept = (frame: ServerFrame): boolean => {
    switch (frame.type) {
      case 'welcome':
        if (link === 'open') return false;
        welcome(frame);
        return true;
      case 'event':
      case 'gap': {
        if (state === 'closing') return true;
        const isTaken = link === 'open' && inbox.take(frame);
        advance();
        return isTaken;
      }
      case 'replied':
      case 'refused':
        outbox.answer(frame);
        break;
      case 'ping':
        sendFrame({ type: 'pong' });
        break;
      case 'bye':
        bye = frame.message;
    }
    return true;
  };

  const whenDue: Readonly<Record<Deadline, () => void>> = {
    welcome: () => drop(TIMEOUT, 'timeout'),
    reconnect: connect,
    ping: () => sendFrame({ type: 'ping' }),
    silence: () => drop(TIMEOUT, 'timeout'),
    ack: acknowledge,
    retry,
    drained: finish,
    closed: () => {
      effects.disconnect(NORMAL, true);
      end(null);
    },
  };

  const machine: Machine = {
    state: () => state,
    wakeAt: () => Math.min(...Object.values(due)),
    at(time) {
      now = time;
      return machine;
    },
    start() {
      if (state === 'connecting') connect();
    },
    opened() {
      sendFrame({ type: 'hello', ...hello });
    },
    received(data) {
      if (link === 'none' || link === 'closing') return;
      if (link === 'open') due.silence = now + SILENT_HEARTBEATS * heartbeatMs;
      const frame = readFrame(data);
      if (frame !== null && accept(frame)) finish();
      else drop(PROTOCOL_ERROR, 'protocol_error', frame?.type);
    },
    lost(code, said) {
      if (link === 'none') return;
      const otherwise = link === 'open' ? 'connection_lost' : 'connection_failed';
      disconnected(ENDS[code] ?? BREAKS[code] ?? otherwise, bye === '' ? said : bye, code in ENDS);
    },
    listen(given) {
      hasHandler = given;
      advance();
      retry();
    },
    settled(error) {
      if (state === 'closed' || link === 'closing') return;
      if (error === null) inbox.succeed();
      else rest(error);
      advance();
      finish();
    },
    reply(reply) {
      if (state === 'closed') reply.settle(clientError('closed'));
      else outbox.add(reply);
    },
    close(waitMs) {
      if (state === 'closed' || link === 'closing') return;
      if (state !== 'closing') change({ state: 'closing' });
      delete due.reconnect;
      delete due.retry;
      due.drained = Math.min(now + waitMs, due.drained ?? Infinity);
      if (link === 'opening') drop(NORMAL, 'closed');
      else finish();
    },
    wake() {
      for (const name of Object.keys(due) as Deadline[]) {
        if ((due[name] ?? Infinity) > now) continue;
        delete due[name];
        whenDue[name]();
      }
    },
  };
  return machine;
}
