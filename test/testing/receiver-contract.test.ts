/** The contract of receivers holds for this package's own, and finds faulty ones. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMemorySeenStore, createReceiver } from '../../src/receiver/index.js';
import { createVerifier, SignatureError } from '../../src/signing/index.js';
import { receiverContract, type SignedRequest } from '../../src/testing/index.js';
import type { ReceiverUnderTest } from '../../src/testing/receiver-contract.js';

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

const verify = createVerifier({ secrets });

/** Hex of the HMAC over a request. */
const mac = (request: SignedRequest, time = header(request, 'Svc-Timestamp')): string =>
  createHmac('sha256', secrets).update(`${time}.${request.body}`).digest('hex');

function verifyAnyAge(request: SignedRequest, time: string | undefined): void {
  if (!header(request, 'Svc-Signature').includes(mac(request, time))) forged();
}

function isFresh(time: string | undefined): void {
  if (!(Number(time) > Date.now() / 1_000 - 300)) forged();
}

function forged(): never {
  throw new SignatureError('signature_mismatch', 'not genuine');
}

/** Cases about what no receiver may take. */
const refusals = [
  'refuses a body that was tampered with',
  'refuses a stale delivery',
  'refuses a stale delivery with a new time in its header',
  'refuses a stale delivery with a new time in its signature',
  'refuses the signature of another secret',
  'refuses a delivery without a signature',
  'accepts a genuine delivery after a forged one of the same event',
  'refuses a forged delivery of an event that was handled',
];

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

  test.for<readonly [string, Partial<Parts>, readonly string[]]>([
    ['verifies nothing', { verify: () => undefined }, refusals],
    [
      'refuses everything',
      { verify: forged },
      [
        'accepts a genuine delivery',
        'accepts an event that an operator has replayed',
        'verifies the raw body, not JSON that it has printed again',
        'accepts a delivery that is signed with a secret before its own, too',
        'accepts a delivery that is signed with a secret after its own, too',
        'accepts a repeat, and handles the event once',
        'accepts a genuine delivery after a forged one of the same event',
        'refuses a forged delivery of an event that was handled',
      ],
    ],
    [
      'verifies JSON that it has printed again',
      { verify: ({ body, headers }) => void verify(JSON.stringify(JSON.parse(body)), headers) },
      ['verifies the raw body, not JSON that it has printed again'],
    ],
    [
      'takes any age',
      {
        verify: ({ body, headers }) =>
          void createVerifier({ secrets, toleranceSeconds: Infinity })(body, headers),
      },
      ['refuses a stale delivery'],
    ],
    [
      'looks at the age by the header, and verifies by the signature',
      {
        verify(request) {
          verifyAnyAge(request, /t=(\d+)/.exec(header(request, 'Svc-Signature'))?.[1]);
          isFresh(header(request, 'Svc-Timestamp'));
        },
      },
      ['refuses a stale delivery with a new time in its header'],
    ],
    [
      'looks at the age by the signature, and verifies by the header',
      {
        verify(request) {
          verifyAnyAge(request, header(request, 'Svc-Timestamp'));
          isFresh(/t=(\d+)/.exec(header(request, 'Svc-Signature'))?.[1]);
        },
      },
      ['refuses a stale delivery with a new time in its signature'],
    ],
    [
      'compares with the first signature alone',
      {
        verify(request) {
          right.verify(request);
          const first = /v1=(\w+)/.exec(header(request, 'Svc-Signature'))?.[1];
          if (first !== mac(request)) forged();
        },
      },
      ['accepts a delivery that is signed with a secret before its own, too'],
    ],
    [
      'compares with the last signature alone',
      {
        verify(request) {
          right.verify(request);
          if (!header(request, 'Svc-Signature').endsWith(mac(request))) forged();
        },
      },
      ['accepts a delivery that is signed with a secret after its own, too'],
    ],
    [
      'takes what has no signature',
      {
        verify(request) {
          if (header(request, 'Svc-Signature') !== '') right.verify(request);
        },
      },
      ['refuses a delivery without a signature'],
    ],
    [
      'handles no replays',
      {
        verify: (request) => (header(request, 'Svc-Origin') === 'replay' ? forged() : right.verify(request)),
      },
      ['accepts an event that an operator has replayed'],
    ],
    ['answers forgeries with 204', { refusal: 204 }, refusals],
    ['answers forgeries with 500', { refusal: 500 }, refusals],
    ['handles repeats', { key: () => crypto.randomUUID() }, ['accepts a repeat, and handles the event once']],
    [
      'marks an event before it is verified',
      { marksFirst: true },
      ['accepts a genuine delivery after a forged one of the same event'],
    ],
    [
      'answers repeats before they are verified',
      { looksFirst: true },
      ['refuses a forged delivery of an event that was handled'],
    ],
  ])('finds a receiver that %s', async ([, fault, cases]) => {
    expect(await unmet(receiverOf({ ...right, ...fault }))).toEqual(cases);
  });

  test.for([
    [{ secrets }, /send is undefined: give a function/],
    [{ secrets: '', send: () => 204 }, /secret/],
  ])('%j is refused: %s', ([options, message]) => {
    expect(() => receiverContract(options as never)).toThrow(message);
  });
});
