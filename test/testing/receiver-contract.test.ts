/** The contract of receivers holds for this package's own, and finds faulty ones. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMemorySeenStore, createReceiver } from '../../src/receiver/index.js';
import { createVerifier, SignatureError } from '../../src/signing/index.js';
import { receiverContract, type ReceiverUnderTest, type SignedRequest } from '../../src/testing/index.js';

const secrets = 'whsec_contract';

/** A receiver by hand, and the parts in which a faulty one differs. */
interface Parts {
  readonly verify: (request: SignedRequest) => void;
  readonly key: (request: SignedRequest) => string;
  readonly refusal: number;
  /** Whether an event is marked as seen before it is verified. */
  readonly marksFirst: boolean;
  /** Whether a repeat is answered before it is verified. */
  readonly looksFirst: boolean;
}

const idOf = ({ body }: SignedRequest): string => (JSON.parse(body) as { id: string }).id;
const header = ({ headers }: SignedRequest, name: string): string => headers[name] ?? '';

const right: Parts = {
  verify: ({ body, headers }) => void createVerifier({ secrets })(body, headers),
  key: (request) => `${header(request, 'Svc-Origin')} ${idOf(request)}`,
  refusal: 400,
  marksFirst: false,
  looksFirst: false,
};

/** A receiver made of the parts, with a memory of its own. */
function receiverOf(parts: Parts): ReceiverUnderTest {
  const seen = new Set<string>();
  const handled: string[] = [];
  const take = (request: SignedRequest): number => {
    const key = parts.key(request);
    const isRepeat = seen.has(key);
    if (isRepeat && parts.looksFirst) return 204;
    if (parts.marksFirst) seen.add(key);
    try {
      parts.verify(request);
    } catch {
      return parts.refusal;
    }
    if (isRepeat) return 204;
    seen.add(key);
    handled.push(idOf(request));
    return 204;
  };
  return {
    secrets,
    send: (request) => Promise.resolve(take(request)),
    handled: (id) => handled.filter((one) => one === id).length,
  };
}

/** Names of the cases that a receiver does not meet. */
async function unmet(receiver: ReceiverUnderTest): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { name, run } of receiverContract(receiver)) await run().catch(() => names.push(name));
  return names;
}

/** Hex of the HMAC over the payload that a faulty receiver makes. */
const mac = (payload: string): string => createHmac('sha256', secrets).update(payload).digest('hex');

const isSigned = (request: SignedRequest, payload: string): void => {
  if (!header(request, 'Svc-Signature').includes(mac(payload))) throw new Error('not genuine');
};

describe('the contract of receivers', () => {
  test('holds for this package’s own, by fetch', async () => {
    const handled: string[] = [];
    const receiver = createReceiver({
      secrets,
      seen: createMemorySeenStore({ maxKeys: 100 }),
      handle: ({ id }) => void handled.push(id),
      onError: () => undefined,
    });
    const under: ReceiverUnderTest = {
      secrets,
      send: async (request) => (await receiver.fetch(request.toRequest())).status,
      handled: (id) => handled.filter((one) => one === id).length,
    };
    expect(await unmet(under)).toEqual([]);
    expect(handled.length).toBeGreaterThan(5);
  });

  test('holds for one by hand, also where it does not tell what it handled', async () => {
    expect(await unmet(receiverOf(right))).toEqual([]);
    const { handled: _, ...silent } = receiverOf(right);
    expect(await unmet(silent)).toEqual([]);
  });

  test('sends events that the receiver takes, under its brand', async () => {
    const types = new Set<string>();
    const sent = receiverContract({
      secrets,
      brand: 'Acme',
      event: (id) => ({ id, type: 'order.paid', data: { amount: 1 } }),
      send: ({ headers }) => {
        types.add(headers['Acme-Event-Type'] ?? '');
        return Promise.resolve(204);
      },
    });
    await Promise.allSettled(sent.map(({ run }) => run()));
    expect([...types]).toEqual(['order.paid']);
  });

  test.for<[string, Partial<Parts>]>([
    ['verifies nothing', { verify: () => undefined }],
    [
      'refuses everything',
      {
        verify: () => {
          throw new SignatureError('missing_header', '');
        },
      },
    ],
    [
      'verifies JSON that it has printed anew',
      {
        verify: ({ body, headers }) =>
          void createVerifier({ secrets })(JSON.stringify(JSON.parse(body)), headers),
      },
    ],
    [
      'takes any age',
      {
        verify: ({ body, headers }) =>
          void createVerifier({ secrets, toleranceSeconds: Infinity })(body, headers),
      },
    ],
    ['signs the body without the time', { verify: (request) => isSigned(request, request.body) }],
    [
      'compares with the first signature alone',
      {
        verify: (request) => {
          const first = /v1=(\w+)/.exec(header(request, 'Svc-Signature'))?.[1];
          right.verify(request);
          if (first !== mac(`${header(request, 'Svc-Timestamp')}.${request.body}`)) {
            throw new Error('another');
          }
        },
      },
    ],
    ['answers forgeries with 204', { refusal: 204 }],
    ['answers forgeries with 500', { refusal: 500 }],
    ['handles repeats', { key: () => crypto.randomUUID() }],
    ['marks an event before it is verified', { marksFirst: true }],
    ['answers repeats before they are verified', { looksFirst: true }],
  ])('finds a receiver that %s', async ([, fault]) => {
    expect(await unmet(receiverOf({ ...right, ...fault }))).not.toEqual([]);
  });

  test.for([
    [{ secrets }, /send is undefined: give a function/],
    [{ secrets: '', send: () => 204 }, /secret/],
  ])('%j is refused: %s', ([options, message]) => {
    expect(() => receiverContract(options as never)).toThrow(message);
  });
});
