/**
 * The contract of receivers, as a list of cases for any test runner: what every receiver of signed deliveries must do.
 */
import assert from 'node:assert/strict';
import { assertMembers, callable, type Checks, optional, text } from '../delivery/arguments.js';
import type { EventLike } from '../rules/rule.js';
import { createSigner } from '../signing/index.js';
import type { Cases, ContractCase } from './contract.js';
import {
  createSignedRequest,
  type SignedRequest,
  type SignedRequestFault,
  type SignedRequestOptions,
} from './signed-request.js';

/** A receiver, and how it is reached. */
export interface ReceiverUnderTest {
  /** Sends a request to the receiver, and resolves with the status of its answer. */
  readonly send: (request: SignedRequest) => Promise<number>;
  /** The secret of the receiver. */
  readonly secrets: string | readonly string[];
  /**
   * First part of the header names.
   * @defaultValue `'Svc'`
   */
  readonly brand?: string;
  /**
   * Makes an event that the receiver takes, with this id.
   * @defaultValue an event of type `webhook.received`
   */
  readonly event?: (id: string) => EventLike;
  /**
   * How many times the event with this id was handled. Without it, only answers are looked at.
   */
  readonly handled?: (eventId: string) => number | Promise<number>;
}

const OPTIONS: Checks<ReceiverUnderTest> = {
  send: callable('a function that sends a request and resolves with the status of the answer'),
  secrets: () => undefined, // the signer checks it
  brand: optional(text),
  event: optional(callable('a function from an id to an event')),
  handled: optional(callable('a function from the id of an event to a number')),
};

/**
 * The requirements of receivers, one case for each. For any test runner:
 * `for (const { name, run } of receiverContract({ secrets, send })) test(name, run)`. Every event has an id of its own,
 * so the receiver may have a store of its own behind it.
 *
 * @example
 * ```ts
 * import { createMemorySeenStore, createReceiver } from 'headgate/receiver';
 * import { receiverContract } from 'headgate/testing';
 *
 * const handled: string[] = [];
 * const receiver = createReceiver({
 *   secrets: 'whsec_test',
 *   seen: createMemorySeenStore({ maxKeys: 1_000 }),
 *   handle: ({ id }) => void handled.push(id),
 *   onError: () => undefined,
 * });
 * const cases = receiverContract({
 *   secrets: 'whsec_test',
 *   send: async (request) => (await receiver.fetch(request.toRequest())).status,
 *   handled: (id) => handled.filter((one) => one === id).length,
 * });
 * for (const { run } of cases) await run(); // in a test runner: test(name, run)
 * ```
 * @throws `OptionError` `invalid_option`, `invalid_secret`, `invalid_brand`
 */
export function receiverContract(receiver: ReceiverUnderTest): readonly ContractCase[] {
  assertMembers<ReceiverUnderTest>('receiverContract', receiver, OPTIONS);
  createSigner({ secrets: receiver.secrets, brand: receiver.brand ?? 'Svc' });
  return Object.entries(cases).map(([name, run]) => ({ name, run: () => run(new Sender(receiver)) }));
}

/** Sends one event of its own to a receiver; made for each case. */
class Sender {
  readonly #receiver: ReceiverUnderTest;
  readonly #event: EventLike;

  constructor(receiver: ReceiverUnderTest) {
    this.#receiver = receiver;
    const id = `evt_${crypto.randomUUID()}`;
    this.#event = receiver.event?.(id) ?? { id, type: 'webhook.received', data: { body: { text: 'é😀' } } };
  }

  request(options: Partial<SignedRequestOptions> = {}): SignedRequest {
    const { secrets, brand = 'Svc' } = this.#receiver;
    return createSignedRequest({ secrets, brand, event: this.#event, ...options });
  }

  /** The event with blanks and line breaks, which are lost where a receiver verifies JSON that it has printed again. */
  spaced(): SignedRequest {
    return this.request({ body: `${JSON.stringify(this.#event, null, 2)}\n` });
  }

  /** Signed with another secret besides, as during a rotation. */
  rotated(order: 'before' | 'after'): SignedRequest {
    const own = [this.#receiver.secrets].flat();
    const other = 'whsec_of_another_time';
    return this.request({ secrets: order === 'before' ? [other, ...own] : [...own, other] });
  }

  async accepts(request: SignedRequest): Promise<void> {
    const status = await this.#receiver.send(request);
    assert.ok(status >= 200 && status < 300, `answered ${status}, not 2xx`);
  }

  async refuses(fault: SignedRequestFault): Promise<void> {
    const status = await this.#receiver.send(this.request({ fault }));
    assert.ok(status >= 400 && status < 500, `answered ${status}, not 4xx`);
  }

  /** Asserts how often the event was handled, where the receiver tells. */
  async wasHandled(times: number): Promise<void> {
    const handled = await this.#receiver.handled?.(this.#event.id);
    if (handled !== undefined) assert.equal(handled, times, 'the number of times that the event was handled');
  }
}

async function acceptsOnce(sender: Sender, request: SignedRequest): Promise<void> {
  await sender.accepts(request);
  await sender.wasHandled(1);
}

async function refusesUnhandled(sender: Sender, fault: SignedRequestFault): Promise<void> {
  await sender.refuses(fault);
  await sender.wasHandled(0);
}

const cases: Cases<Sender> = {
  'accepts a genuine delivery': (sender) => acceptsOnce(sender, sender.request()),
  'accepts an event that an operator has replayed': (sender) =>
    acceptsOnce(sender, sender.request({ origin: 'replay' })),
  'verifies the raw body, not JSON that it has printed again': (sender) =>
    acceptsOnce(sender, sender.spaced()),
  'accepts a delivery that is signed with a secret before its own, too': (sender) =>
    acceptsOnce(sender, sender.rotated('before')),
  'accepts a delivery that is signed with a secret after its own, too': (sender) =>
    acceptsOnce(sender, sender.rotated('after')),
  'accepts a repeat, and handles the event once': async (sender) => {
    await sender.accepts(sender.request());
    await acceptsOnce(sender, sender.request());
  },
  'refuses a body that was tampered with': (sender) => refusesUnhandled(sender, 'tampered'),
  'refuses a stale delivery': (sender) => refusesUnhandled(sender, 'stale'),
  'refuses a stale delivery with a new time in its header': (sender) =>
    refusesUnhandled(sender, 'redated_header'),
  'refuses a stale delivery with a new time in its signature': (sender) =>
    refusesUnhandled(sender, 'redated_signature'),
  'refuses the signature of another secret': (sender) => refusesUnhandled(sender, 'wrong_secret'),
  'refuses a delivery without a signature': (sender) => refusesUnhandled(sender, 'unsigned'),
  'accepts a genuine delivery after a forged one of the same event': async (sender) => {
    await sender.refuses('tampered');
    await acceptsOnce(sender, sender.request());
  },
  'refuses a forged delivery of an event that was handled': async (sender) => {
    await sender.accepts(sender.request());
    await sender.refuses('tampered');
    await sender.wasHandled(1);
  },
};
