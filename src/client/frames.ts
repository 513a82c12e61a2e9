/** The frames of the protocol, and how they are read. */
import type { Origin } from '../delivery-details.js';
import { isObject } from '../json.js';
import type { ReceivedEvent } from './types.js';

/** The subprotocol that client and host agree on. */
export const SUBPROTOCOL = 'headgate.v1';

/** The first frame of a client, but for its type. */
export interface Hello {
  readonly key: string;
  /** The name; left out if the client has no name. */
  readonly client?: string | undefined;
  readonly from?: string | undefined;
}

/** The host's answer to `hello`. */
export interface WelcomeFrame {
  readonly type: 'welcome';
  /** The client's cursor: what comes next is the position after it. */
  readonly position: number;
  readonly resumed: boolean;
  /** Most events that the host sends beyond the last acknowledged position. */
  readonly window: number;
  readonly heartbeat_ms: number;
  readonly max_reply_bytes: number;
}

/** An entry of the log. */
export interface EventFrame {
  readonly type: 'event';
  readonly position: number;
  readonly origin: Origin;
  readonly event: ReceivedEvent;
}

/** Positions that are no longer stored. */
export interface GapFrame {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
}

/** The answer to a reply. */
export interface AnswerFrame {
  readonly type: 'replied' | 'refused';
  readonly id: string;
  readonly event_id: string;
  /** Set for `refused`, like the message. */
  readonly code: string;
  readonly message: string;
}

/** A frame of a host. A later version may send frames of other types. */
export type ServerFrame =
  | WelcomeFrame
  | EventFrame
  | GapFrame
  | AnswerFrame
  | { readonly type: 'bye'; readonly message: string }
  | { readonly type: 'ping' | 'pong' };

type Members = Readonly<Record<string, unknown>>;

/**
 * The members that are read of each frame, by examples: a member has the type of its example, an object has an id that
 * is text, and a number is an integer not below its example. Other members are ignored, so that a host may add some.
 */
const EXAMPLES: ReadonlyMap<unknown, Members> = new Map(
  Object.entries({
    welcome: { position: 0, resumed: true, window: 1, heartbeat_ms: 1, max_reply_bytes: 1 },
    event: { position: 1, origin: '', event: { id: '' } },
    gap: { from: 1, to: 1 },
    replied: { id: '', event_id: '' },
    refused: { id: '', event_id: '', code: '', message: '' },
    bye: { message: '' },
  }),
);

const isLike = (example: unknown, value: unknown): boolean =>
  isObject(example)
    ? isObject(value) && Object.keys(example).every((name) => isLike(example[name], value[name]))
    : typeof value === typeof example &&
      (typeof example !== 'number' || (Number.isSafeInteger(value) && (value as number) >= example));

/** The frame in a message of a socket; `null` if it is not a frame. */
export function readFrame(data: unknown): ServerFrame | null {
  try {
    const frame = JSON.parse(data as string) as ServerFrame;
    return isLike({ type: '', ...EXAMPLES.get(frame.type) }, frame) ? frame : null;
  } catch {
    return null;
  }
}
