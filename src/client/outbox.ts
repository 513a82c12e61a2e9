/** Replies on their way to the host. Each is kept, and sent again after a reconnect with the same id, until it is answered. */
import { clientError, type ClientError, isCode } from './client-error.js';
import type { AnswerFrame } from './frames.js';

/** A reply. */
export interface Reply {
  readonly id: string;
  readonly eventId: string;
  /** The payload as JSON text. */
  readonly payload: string;
  /** Of the payload, as UTF-8. */
  readonly bytes: number;
  /** Called once: with `null` when the reply is stored. */
  readonly settle: (error: ClientError | null) => void;
}

/** Most replies with the host at a time. The others wait here, so that a reconnect is no flood. */
const MAX_WITH_HOST = 16;
/** Most replies that wait, and most bytes of their payloads. */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 2 ** 24;

/** The replies of one client, over all of its connections. */
export interface Outbox {
  /** Begins a connection. */
  begin(maxReplyBytes: number): void;
  /** Ends a connection: whatever has no answer yet is to be sent again. */
  end(): void;
  /** Takes a reply, or settles it at once. */
  add(reply: Reply): void;
  /** Takes an answer. Where nothing waits for it, the reply was sent twice. */
  answer(frame: AnswerFrame): void;
  /** Gives all up. */
  abandon(cause: ClientError | null): void;
  /** Whether answers are to come. */
  isBusy(): boolean;
}

/** An outbox before its first connection. @param send - Sends a frame; called between `begin` and `end`. */
export function createOutbox(send: (text: string) => void): Outbox {
  /** In the order in which they were given. The first of them are with the host. */
  let waiting: readonly Reply[] = [];
  let withHost = 0;
  /** How many may be with the host; 0 without a connection. */
  let room = 0;
  /** Most bytes of a payload. The host may tell another limit. */
  let maxReplyBytes = 2 ** 18;

  const pump = (): void => {
    for (const { id, eventId, payload } of waiting.slice(withHost, room)) {
      withHost++;
      send(`${JSON.stringify({ type: 'reply', id, event_id: eventId }).slice(0, -1)},"payload":${payload}}`);
    }
  };
  const settle = (isMeant: (reply: Reply) => boolean, error: ClientError | null): void => {
    const [settled, sent] = [waiting.filter(isMeant), waiting.slice(0, withHost)];
    waiting = waiting.filter((reply) => !isMeant(reply));
    withHost -= sent.filter(isMeant).length;
    for (const reply of settled) reply.settle(error);
    pump();
  };

  return {
    begin(limit) {
      room = MAX_WITH_HOST;
      maxReplyBytes = limit;
      settle(({ bytes }) => bytes > limit, clientError('reply_too_large'));
    },
    end() {
      room = withHost = 0;
    },
    add(reply) {
      const bytes = waiting.reduce((sum, one) => sum + one.bytes, reply.bytes);
      if (reply.bytes > maxReplyBytes) reply.settle(clientError('reply_too_large'));
      else if (waiting.length >= MAX_WAITING || bytes > MAX_WAITING_BYTES) {
        reply.settle(clientError('too_many_replies'));
      } else {
        waiting = [...waiting, reply];
        pump();
      }
    },
    answer({ type, id, event_id, code, message }) {
      settle(
        (reply) => reply.id === id && reply.eventId === event_id,
        type === 'replied' ? null : clientError(isCode(code) ? code : 'reply_refused', message),
      );
    },
    abandon(cause) {
      room = 0;
      settle(() => true, clientError('closed', '', cause));
    },
    isBusy: () => room > 0 && waiting.length > 0,
  };
}
