/**
 * Events on their way to the handler, and what is to be acknowledged. An event stays at the head of the queue until its
 * handler has succeeded, so nothing overtakes it. What was handled is remembered by position and id: after a reconnect,
 * a host that did not get the acknowledgement sends it again, and then it is passed without being handled again.
 */
import type { EventFrame, GapFrame, WelcomeFrame } from './frames.js';
import type { ClientEvent, ClientGap } from './types.js';

const isEvent = (item: EventFrame | GapFrame | ClientGap): item is EventFrame => 'position' in item;

/** The events of one client, over all of its connections; the machine of the client makes it. */
export class Inbox {
  #queue: (EventFrame | ClientGap)[] = [];
  #inHand: ClientEvent | null = null;
  #isResting = false;
  /** Ids of the events that were handled last, by position; as many as the window has. */
  readonly #handled = new Map<number, string>();
  /** The highest position that any connection has passed. */
  #highest: number | null = null;
  #window = 1;
  /** The position that must come next. */
  #next = 1;
  #passed = 0;
  #acknowledged = 0;

  /** Begins a connection. Positions between the last one and this are a gap. */
  begin({ position, resumed, window }: WelcomeFrame): void {
    this.#window = window;
    const highest = Math.max(this.#highest ?? position, this.#inHand?.position ?? 0);
    const gap = { from: highest + 1, to: position, reason: resumed ? 'elsewhere' : 'away' } as const;
    this.#highest = highest;
    this.#queue = position > highest ? [gap] : [];
    this.#next = position + 1;
    this.#passed = this.#acknowledged = position;
  }

  /** Ends a connection. The event in hand stays there; a client with a name gets the rest again. */
  end(): void {
    this.#queue = [];
    this.#acknowledged = this.#passed;
  }

  /** Takes a frame. Returns `false` if another must come first, or if there are more than the window allows. */
  take(frame: EventFrame | GapFrame): boolean {
    const [from, to] = isEvent(frame) ? [frame.position, frame.position] : [frame.from, frame.to];
    // Twice, since there may be a gap between any two events.
    if (from !== this.#next || to < from || this.#queue.length > 2 * this.#window) return false;
    this.#next = to + 1;
    this.#queue.push(isEvent(frame) ? frame : { from, to, reason: 'expired' });
    return true;
  }

  /**
   * Passes gaps and events that were handled. Returns each gap that it passes, and `null` at the end: call it until
   * then.
   */
  advance(): ClientGap | null {
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      if (isEvent(head)) {
        if (this.#handled.get(head.position) !== head.event.id) break;
        this.#pass(head.position);
      } else {
        // The event in hand may be among those that the host has forgotten since.
        if (this.#inHand !== null) break;
        const gap = { ...head, from: Math.max(head.from, (this.#highest ?? 0) + 1) };
        this.#pass(head.to);
        if (gap.from <= gap.to) return gap;
      }
    }
    return null;
  }

  /** Takes the head of the queue in hand; `null` if it is empty, or if an event is in hand. */
  start(): ClientEvent | null {
    const [head] = this.#queue;
    if (head === undefined || !isEvent(head) || this.#inHand !== null) return null;
    const { event, origin, position } = head;
    this.#isResting = false;
    return (this.#inHand = { event, origin, position, attempt: 1 });
  }

  /** The handler has succeeded. */
  succeed(): void {
    const { position, event } = this.#inHand as ClientEvent;
    this.#inHand = null;
    this.#reach(position);
    this.#handled.set(position, event.id);
    for (const oldest of this.#handled.keys()) {
      if (this.#handled.size <= this.#window) break;
      this.#handled.delete(oldest);
    }
  }

  /** The handler has failed: the event in hand rests. Returns that event. */
  fail(): ClientEvent {
    this.#isResting = true;
    return this.#inHand as ClientEvent;
  }

  /** The next attempt with the event that rests; `null` if none does. */
  retry(): ClientEvent | null {
    if (this.#inHand === null || !this.#isResting) return null;
    this.#isResting = false;
    return (this.#inHand = { ...this.#inHand, attempt: this.#inHand.attempt + 1 });
  }

  /** Whether a handler runs. */
  isBusy(): boolean {
    return this.#inHand !== null && !this.#isResting;
  }

  /** The number of positions that are passed and not acknowledged. */
  owed(): number {
    return this.#passed - this.#acknowledged;
  }

  /** The position to acknowledge, which then counts as acknowledged. */
  acknowledge(): number {
    return (this.#acknowledged = this.#passed);
  }

  #pass(position: number): void {
    this.#queue.shift();
    this.#passed = position;
    this.#reach(position);
  }

  #reach(position: number): void {
    this.#highest = Math.max(this.#highest ?? 0, position);
  }
}
