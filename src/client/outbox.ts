/**
 * Replies on their way to the host. Each is kept, and sent again after a reconnect with the same id, until it is
 * answered.
 */
import { clientError, type ClientError, isCode } from './client-error.js';
import type { AnswerFrame } from './frames.js';

/** A reply. */
export interface Reply {
  readonly id: string;
  readonly eventId: string;
  /** The payload as JSON text. */
  readonly payload: string;
  /** Size of the payload as UTF-8. */
  readonly bytes: number;
  /** Called once: with `null` when the reply is stored. */
  readonly settle: (error: ClientError | null) => void;
}

/** Most replies that wait: 64 MiB of them at most. */
const MAX_WAITING = 256;

/** The replies of one client, over all of its connections. */
export interface Outbox {
  /** Begins a connection: sends all that wait. */
  begin(maxReplyBytes: number): void;
  /** Ends a connection. */
  end(): void;
  /** Takes a reply, or settles it at once. */
  add(reply: Reply): void;
  /** Takes an answer. If nothing waits for it, the reply was sent twice. */
  answer(frame: AnswerFrame): void;
  /** Gives all up. */
  abandon(cause: ClientError | null): void;
  /** Whether answers are to come. */
  isBusy(): boolean;
}

/** An outbox before its first connection. @param send - Sends a frame; called between `begin` and `end`. */
export function createOutbox(send: (text: string) => void): Outbox {
  /** In the order in which they were given. */
  let waiting: readonly Reply[] = [];
  let isOpen = false;
  /** Most bytes of a payload. The host may tell another limit. */
  let maxBytes = 2 ** 18;

  const post = ({ id, eventId, payload }: Reply): void => {
    if (isOpen) {
      send(`${JSON.stringify({ type: 'reply', id, event_id: eventId }).slice(0, -1)},"payload":${payload}}`);
    }
  };
  const settle = (isMeant: (reply: Reply) => boolean, error: ClientError | null): void => {
    const settled = waiting.filter(isMeant);
    waiting = waiting.filter((reply) => !settled.includes(reply));
    for (const reply of settled) reply.settle(error);
  };

  return {
    begin(limit) {
      isOpen = true;
      maxBytes = limit;
      settle(({ bytes }) => bytes > limit, clientError('reply_too_large'));
      waiting.forEach(post);
    },
    end() {
      isOpen = false;
    },
    add(reply) {
      const isFull = waiting.length >= MAX_WAITING;
      if (isFull || reply.bytes > maxBytes) {
        reply.settle(clientError(isFull ? 'too_many_replies' : 'reply_too_large'));
      } else {
        waiting = [...waiting, reply];
        post(reply);
      }
    },
    answer({ type, id, event_id, code, message }) {
      settle(
        (reply) => reply.id === id && reply.eventId === event_id,
        type === 'replied' ? null : clientError(isCode(code) ? code : 'reply_refused', message),
      );
    },
    abandon(cause) {
      settle(() => true, clientError('closed', '', cause ?? undefined));
    },
    isBusy: () => isOpen && waiting.length > 0,
  };
}
