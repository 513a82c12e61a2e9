/**
 * A world in which nothing happens by itself: one client's machine, a host that keeps the protocol, and the frames
 * between them. A test decides what happens next, so that it can cut the connection between any two frames.
 */
import { clientError, type ClientError } from '../../src/client/client-error.js';
import { Machine } from '../../src/client/machine.js';
import type { ClientEvent, ClientGap, StateChange } from '../../src/client/types.js';

/** A frame, as JSON. */
export type Frame = Readonly<Record<string, unknown>>;

/** Frames on their way, each way in order. Cutting it loses them. */
interface Link {
  readonly toClient: Frame[];
  readonly toHost: Frame[];
  isOpen: boolean;
  /** Positions up to which the host has sent, and got acknowledgements. */
  sent: number;
  acknowledged: number;
}

/** The state of the host. */
interface Host {
  /** Ids of events; position 1 is the first. */
  readonly log: string[];
  /** Positions up to this one are no longer stored. */
  expired: number;
  /** The client's cursor; `null` before its first hello. */
  cursor: number | null;
  /** Payloads by event and reply id, and how often each was stored. */
  readonly replies: Map<string, unknown[]>;
  readonly window: number;
}

export interface WorldOptions {
  readonly window: number;
  /** Whether the client has a name. */
  readonly isNamed: boolean;
  /** Events that are there when the client comes. */
  readonly before: number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Everything that can happen; `false` where it cannot happen now. */
export class World {
  now = 0;
  readonly host: Host;
  readonly machine: Machine;
  link: Link | null = null;
  /** The event with the handler. */
  running: ClientEvent | null = null;
  /** All attempts, handled events and gaps, in order. */
  readonly attempts: ClientEvent[] = [];
  readonly handled: ClientEvent[] = [];
  readonly gaps: ClientGap[] = [];
  readonly states: StateChange[] = [];
  readonly errors: ClientError[] = [];
  /** Replies that were given. */
  asked = 0;
  readonly answers = new Map<string, ClientError | null>();
  /** Breaches of the protocol by the client. */
  readonly breaches: string[] = [];
  /** Most events of the log that were sent and not acknowledged. */
  outstanding = 0;
  readonly #isNamed: boolean;

  constructor({ window, isNamed, before, random }: WorldOptions) {
    this.#isNamed = isNamed;
    const log = Array.from({ length: before }, (_, n) => `evt_${n + 1}`);
    this.host = { log, expired: 0, cursor: null, replies: new Map(), window };
    const hello = isNamed ? { key: 'hg_test', client: 'billing' } : { key: 'hg_test' };
    this.machine = new Machine(hello, random, {
      connect: () => {
        if (this.link !== null) this.breaches.push('connects twice');
        this.link = { toClient: [], toHost: [], isOpen: false, sent: 0, acknowledged: 0 };
      },
      send: (text) => {
        if (this.link?.isOpen !== true) this.breaches.push(`sends without a connection: ${text}`);
        this.link?.toHost.push(JSON.parse(text) as Frame);
      },
      disconnect: (_, forget) => {
        if (this.link === null) this.breaches.push('closes nothing');
        if (forget) this.link = null;
        else this.link?.toHost.push({ type: 'close' });
      },
      handle: (received) => {
        if (this.running !== null) this.breaches.push('two handlers at once');
        this.running = received;
        this.attempts.push(received);
      },
      tell: (type, ...about) => {
        if (type === 'gap') this.gaps.push(about[0] as ClientGap);
        else if (type === 'state') this.states.push(about[0] as StateChange);
        else this.errors.push(about[0] as ClientError);
      },
    });
  }

  begin(): void {
    this.#at().start();
    this.#at().listen(true);
  }

  #at(): Machine {
    return this.machine.at(this.now);
  }

  /** An event is processed. */
  append(): true {
    this.host.log.push(`evt_${this.host.log.length + 1}`);
    if (this.link !== null) this.#fill(this.link);
    return true;
  }

  /** The host forgets the older half of its log. */
  expire(): true {
    this.host.expired = Math.max(this.host.expired, Math.floor(this.host.log.length / 2));
    return true;
  }

  /** Whether all is acknowledged and answered. */
  isQuiet(): boolean {
    const { cursor, log } = this.host;
    const isHandled = this.attempts.at(-1) === this.handled.at(-1);
    const isOpen = this.machine.state() === 'open';
    return isOpen && isHandled && cursor === log.length && this.answers.size === this.asked;
  }

  open(): boolean {
    if (this.link === null || this.link.isOpen) return false;
    this.link.isOpen = true;
    this.#at().opened();
    return true;
  }

  /** The host's next frame reaches the client. */
  toClient(): boolean {
    const frame = this.link?.toClient.shift();
    if (frame !== undefined) this.#at().received(JSON.stringify(frame));
    return frame !== undefined;
  }

  /** The client's next frame reaches the host. */
  toHost(): boolean {
    const link = this.link;
    const frame = link?.toHost.shift();
    if (!link || frame === undefined) return false;
    this.#take(link, frame);
    return true;
  }

  /** The connection breaks, and everything on its way is lost. */
  cut(code = 1006): boolean {
    if (this.link === null) return false;
    this.link = null;
    this.#at().lost(code, '');
    return true;
  }

  succeed(): boolean {
    if (this.running === null) return false;
    this.handled.push(this.running);
    this.running = null;
    this.#at().settled(null);
    return true;
  }

  fail(): boolean {
    if (this.running === null) return false;
    this.running = null;
    this.#at().settled(clientError('handler_failed'));
    return true;
  }

  /** Time passes until the client has something to do. */
  wait(): boolean {
    const at = this.machine.wakeAt();
    if (at === Infinity) return false;
    this.now = Math.max(this.now, at);
    this.#at().wake();
    return true;
  }

  reply(eventId: string, id: string, payload: unknown = id): true {
    const settle = (error: ClientError | null): void => {
      if (this.answers.has(id)) this.breaches.push(`answers ${id} twice`);
      this.answers.set(id, error);
    };
    const text = JSON.stringify(payload);
    this.asked++;
    this.#at().reply({ id, eventId, payload: text, bytes: text.length, settle });
    return true;
  }

  close(waitMs: number): true {
    this.#at().close(waitMs);
    return true;
  }

  #take(link: Link, frame: Frame): void {
    if (frame.type === 'hello') this.#welcome(link);
    else if (frame.type === 'ping') link.toClient.push({ type: 'pong' });
    else if (frame.type === 'ack') this.#acknowledge(link, frame.position as number);
    else if (frame.type === 'reply') this.#store(link, frame);
    else if (frame.type === 'close') this.cut(1000);
    else if (frame.type !== 'pong') this.breaches.push(`sends ${JSON.stringify(frame)}`);
  }

  #welcome(link: Link): void {
    const { log, window } = this.host;
    const resumed = this.#isNamed && this.host.cursor !== null;
    const position = resumed ? (this.host.cursor as number) : this.host.cursor === null ? 0 : log.length;
    this.host.cursor = position;
    link.sent = link.acknowledged = position;
    const limits = { window, heartbeat_ms: 20_000, max_reply_bytes: 1_000 };
    link.toClient.push({ type: 'welcome', client: null, position, resumed, ...limits });
    this.#fill(link);
  }

  #acknowledge(link: Link, position: number): void {
    if (position > link.sent) this.breaches.push(`acknowledges ${position}, and got ${link.sent}`);
    if (position <= link.acknowledged) this.breaches.push(`acknowledges ${position} again`);
    link.acknowledged = position;
    this.host.cursor = Math.max(this.host.cursor ?? 0, position);
    this.#fill(link);
  }

  /** Sends what the window has room for. */
  #fill(link: Link): void {
    const { log, expired, window } = this.host;
    if (link.toClient.length === 0 && link.sent === 0 && this.host.cursor === null) return;
    if (!link.isOpen || this.host.cursor === null) return;
    if (link.sent < expired && link.sent < log.length) {
      link.toClient.push({ type: 'gap', from: link.sent + 1, to: expired });
      link.sent = expired;
      link.acknowledged = Math.max(link.acknowledged, 0);
    }
    while (link.sent < log.length && link.sent - link.acknowledged < window) {
      link.sent++;
      const event = { id: log[link.sent - 1], type: 'webhook.received', data: {} };
      link.toClient.push({ type: 'event', position: link.sent, origin: 'live', event });
    }
    this.outstanding = Math.max(this.outstanding, link.sent - link.acknowledged);
  }

  #store(link: Link, { id, event_id, payload }: Frame): void {
    if (!this.host.log.includes(event_id as string)) {
      const refusal = { code: 'unknown_event', message: 'no such event' };
      link.toClient.push({ type: 'refused', id, event_id, ...refusal });
      return;
    }
    const key = `${String(event_id)} ${String(id)}`;
    const stored = this.host.replies.get(key);
    if (stored === undefined) this.host.replies.set(key, [payload]);
    link.toClient.push({ type: 'replied', id, event_id });
  }
}
