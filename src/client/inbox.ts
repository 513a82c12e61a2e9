/**
 * Events on their way to the handler, and what is to be acknowledged. An event stays at the head of the queue until its handler
 * has succeeded, so nothing overtakes it. What was handled is remembered by position and id: after a reconnect, a host that did
 * not get the acknowledgement sends it again, and then it is passed without being handled again.
 */
import type { EventFrame, GapFrame, WelcomeFrame } from './frames.js';
import type { ClientEvent, ClientGap } from './types.js';

/** The events of one client, over all of its connections. */
export interface Inbox {
  /** Begins a connection. Positions between the last one and this are a gap. */
  begin(welcome: WelcomeFrame): void;
  /** Ends a connection. What is in hand stays there; a client with a name gets the rest again. */
  end(): void;
  /** Takes a frame; false where another must come, or where there are more than the window allows. */
  take(frame: EventFrame | GapFrame): boolean;
  /** Passes what is handled, and gaps. Returns each gap that it passes, and `null` at the end: call it until then. */
  advance(): ClientGap | null;
  /** Takes the head of the queue in hand; `null` where it is empty, or something is in hand. */
  start(): ClientEvent | null;
  /** The handler has succeeded. */
  succeed(): void;
  /** The handler has failed: what is in hand rests. Returns that. */
  fail(): ClientEvent;
  /** The next attempt with what rests in hand; `null` where nothing does. */
  retry(): ClientEvent | null;
  /** Whether a handler runs. */
  isBusy(): boolean;
  /** How many positions are passed and not acknowledged. */
  owed(): number;
  /** The position to acknowledge, which then counts as acknowledged. */
  acknowledge(): number;
}

const isEvent = (item: EventFrame | GapFrame | ClientGap): item is EventFrame => 'position' in item;

/** An inbox before its first connection. */
export function createInbox(): Inbox {
  let queue: (EventFrame | ClientGap)[] = [];
  let inHand: ClientEvent | null = null;
  let isResting = false;
  /** Ids of the events that were handled last, by position; as many as the window has. */
  const handled = new Map<number, string>();
  /** The highest position that any connection has passed. */
  let highest: number | null = null;
  let window = 1;
  /** The position that must come next. */
  let next = 1;
  let passed = 0;
  let acknowledged = 0;

  const reach = (position: number): number => (highest = Math.max(highest ?? 0, position));
  const pass = (position: number): void => {
    queue.shift();
    passed = position;
    reach(position);
  };

  return {
    begin(welcome) {
      const { position, resumed } = welcome;
      ({ window } = welcome);
      highest = Math.max(highest ?? position, inHand?.position ?? 0);
      const gap = { from: highest + 1, to: position, reason: resumed ? 'elsewhere' : 'away' } as const;
      queue = position > highest ? [gap] : [];
      next = position + 1;
      passed = acknowledged = position;
    },
    end() {
      queue = [];
      acknowledged = passed;
    },
    take(frame) {
      const [from, to] = isEvent(frame) ? [frame.position, frame.position] : [frame.from, frame.to];
      // Twice, since gaps may stand between events.
      if (from !== next || to < from || queue.length > 2 * window) return false;
      next = to + 1;
      queue.push(isEvent(frame) ? frame : { from, to, reason: 'expired' });
      return true;
    },
    advance() {
      for (let head = queue[0]; head !== undefined; head = queue[0]) {
        if (isEvent(head)) {
          if (handled.get(head.position) !== head.event.id) break;
          pass(head.position);
        } else {
          // The event in hand may be among those that the host has forgotten since.
          if (inHand !== null) break;
          const gap = { ...head, from: Math.max(head.from, (highest ?? 0) + 1) };
          pass(head.to);
          if (gap.from <= gap.to) return gap;
        }
      }
      return null;
    },
    start() {
      const [head] = queue;
      if (head === undefined || !isEvent(head) || inHand !== null) return null;
      const { event, origin, position } = head;
      isResting = false;
      return (inHand = { event, origin, position, attempt: 1 });
    },
    succeed() {
      const { position, event } = inHand as ClientEvent;
      inHand = null;
      reach(position);
      handled.set(position, event.id);
      for (const oldest of handled.keys()) {
        if (handled.size <= window) break;
        handled.delete(oldest);
      }
    },
    fail() {
      isResting = true;
      return inHand as ClientEvent;
    },
    retry() {
      if (inHand === null || !isResting) return null;
      isResting = false;
      return (inHand = { ...inHand, attempt: inHand.attempt + 1 });
    },
    isBusy: () => inHand !== null && !isResting,
    owed: () => passed - acknowledged,
    acknowledge: () => (acknowledged = passed),
  };
}
