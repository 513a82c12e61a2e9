/** The client: the state machine with a socket, a clock, a timer, and the functions of its user. */
import type { ClientError } from './client-error.js';
import { NO_WEBSOCKET } from './close-codes.js';
import { SUBPROTOCOL } from './frames.js';
import { findWebSocket } from './find-web-socket.js';
import { type AnyListener, createListeners, type Listeners } from './listeners.js';
import { Machine } from './machine.js';
import { type ClientOptions, type CloseOptions, readOptions, readWaitMs, type Settings } from './options.js';
import { randomFraction, randomId, readReply } from './reply.js';
import { createSocket } from './socket.js';
import { createSteps, type Steps } from './steps.js';
import type { ClientListeners, ClientState, ReceivedEvent, StateChange } from './types.js';

/** A connection to a host that is made again whenever it breaks. */
export interface Client<E = ReceivedEvent> {
  /** The state of the client. */
  readonly state: ClientState;
  /**
   * Resolves once the client has ended for good: with `null` after {@link Client.close}, else with the error that ended
   * it.
   */
  readonly closed: Promise<ClientError | null>;
  /**
   * Adds a function. There is one for `event`, the handler, and any number for the others. Until there is a handler,
   * events wait.
   *
   * @throws {@link OptionError} `invalid_option` for an unknown type, no function, or a second handler.
   */
  on<T extends keyof ClientListeners>(type: T, listener: ClientListeners<E>[T]): this;
  /**
   * Removes a function. Without a handler, events wait; the one in hand is acknowledged when its handler has ended.
   *
   * @throws {@link OptionError} `invalid_option` for an unknown type.
   */
  off<T extends keyof ClientListeners>(type: T, listener: ClientListeners<E>[T]): this;
  /**
   * Sends a reply to an event. It is kept, and sent again after a reconnect, until the host has answered. A promise
   * that is not awaited causes no unhandled rejection.
   *
   * @param eventId - The event's `id`.
   * @param payload - A value that `JSON.stringify` can write, in at most 256 KiB.
   * @param replyId - 1 to 200 characters. A reply that has the id of an earlier reply to the event is not stored again.
   *   Random where it is left out.
   * @returns Resolves once the reply is stored; rejects with a {@link ClientError} where it will not be, or nobody
   *   knows.
   */
  reply(eventId: string, payload: unknown, replyId?: string): Promise<void>;
  /**
   * Takes no more events, waits for the handler that runs and for the answers to replies, acknowledges, and
   * disconnects. Within a handler, do not await it: it waits for that handler.
   *
   * @returns Resolves when the socket is closed, at most two seconds after `waitMs`. Rejects with an
   *   {@link OptionError} for an option that cannot work.
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Connects to a host. It connects again whenever the connection breaks, until it is closed or the host says that
 * retrying is pointless.
 *
 * @example
 * ```ts no-run: needs a host
 * import { createClient } from 'headgate/client';
 *
 * const client = createClient({
 *   url: 'https://hooks.example.com',
 *   project: '0192f0c1-7b1e-7cc3-8f6e-2d1a5b7c9e10',
 *   key: process.env.HEADGATE_KEY ?? '',
 *   name: 'billing',
 * });
 * client.on('error', (error) => console.error(error.code, error.message));
 * client.on('event', async ({ event, attempt }) => {
 *   console.log(event.type, event.data, attempt);
 *   await client.reply(event.id, { seen: true });
 * });
 * process.once('SIGTERM', () => void client.close());
 * ```
 * @throws {@link OptionError} `invalid_option` for an unknown option, or a value that cannot work.
 */
export function createClient<E = ReceivedEvent>(options: ClientOptions): Client<E> {
  return startClient(readOptions(options));
}

/** A client has one timer and one socket, and neither once it is closed. */
function startClient({ address, hello, WebSocket }: Settings): Client {
  const listeners = createListeners();
  let end: (error: ClientError | null) => void;
  const closed = new Promise<ClientError | null>((resolve) => (end = resolve));
  let finding: ReturnType<typeof findWebSocket> | undefined;
  const step = createSteps(() => machine);

  const socket = createSocket({
    opened: () => step((it) => it.opened()),
    received: (data) => step((it) => it.received(data)),
    lost: (code, said) => step((it) => it.lost(code, said)),
  });

  const connect = async (): Promise<void> => {
    try {
      const found = await (finding ??= findWebSocket(WebSocket));
      if (machine.state() === 'connecting') socket.open(found, address, SUBPROTOCOL);
    } catch (cause) {
      step((it) => it.lost(NO_WEBSOCKET, String(cause)));
    }
  };

  const machine = new Machine(hello, randomFraction, {
    connect: () => void connect(),
    send: socket.send,
    disconnect: socket.close,
    handle: (received) => void listeners.handle(received).then((error) => step((it) => it.settled(error))),
    tell(type, ...about) {
      listeners.tell(type, ...about);
      const [change] = about as readonly [Partial<StateChange>, ...unknown[]];
      if (type === 'state' && change.state === 'closed') end(change.reason ?? null);
    },
  });

  // Listeners that are added in this turn hear of everything.
  queueMicrotask(() => step((it) => it.start()));
  return clientOf(machine, step, listeners, closed);
}

/** The methods of a client. */
function clientOf(machine: Machine, step: Steps, listeners: Listeners, closed: Client['closed']): Client {
  const change = (act: Listeners['add'], type: string, listener: unknown): Client => {
    act(type, listener as AnyListener);
    step((it) => it.listen(listeners.hasHandler()));
    return client;
  };
  const client: Client = {
    closed,
    get state() {
      return machine.state();
    },
    on: (type, listener) => change(listeners.add, type, listener),
    off: (type, listener) => change(listeners.remove, type, listener),
    reply(eventId, payload, replyId = randomId()) {
      const answer = new Promise<void>((resolve, reject) => {
        const reply = readReply(eventId, payload, replyId);
        const settle = (error: ClientError | null): void => (error === null ? resolve() : reject(error));
        step((it) => it.reply({ ...reply, settle }));
      });
      // Nobody has to handle it: closing a client rejects every reply that is on its way.
      answer.catch(() => undefined);
      return answer;
    },
    async close(options = {}) {
      const waitMs = readWaitMs(options);
      step((it) => it.close(waitMs));
      await closed;
    },
  };
  return client;
}
