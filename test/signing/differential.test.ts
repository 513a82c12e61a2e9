/** node:crypto and WebCrypto give the same results. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as node from '../../src/signing/index.js';
import * as web from '../../src/signing/web.js';
import { Dice, hostileHeaders } from './hostile-headers.js';
import { expected, textOf } from './oracle.js';
import { BODY, NOW, type Outcome } from './runtimes.js';

/** Deliveries from one seed, judged at once so that WebCrypto's threads are kept busy. */
const BATCH = 100;
const RUNS = 250;

/**
 * Two receivers, so that bounds on both sides and several secrets are met. Made once: the web imports its keys once.
 */
const receivers = [
  { secrets: ['whsec_test'], toleranceSeconds: 300, futureToleranceSeconds: Infinity },
  { secrets: ['whsec_new', 'whsec_test'], toleranceSeconds: 0, futureToleranceSeconds: 60 },
].map((options) => {
  const given = { ...options, now: () => NOW };
  return { options, onNode: node.createVerifier(given), onWeb: web.createVerifier(given) };
});

const bytes = new TextEncoder().encode(BODY);
const bodies: readonly node.Bytes[] = [BODY, bytes, Buffer.from(bytes), bytes.buffer];

/** The same headers as a fetch `Headers` would give them, but with every character a string can hold. */
const asReader = (headers: Record<string, unknown>): node.HeaderReader => ({
  get: (name) => textOf(headers, name) ?? null,
});

/** The result of a verifier, or the code of its refusal. */
async function verdict(
  verify: () => node.VerifiedDelivery | Promise<node.VerifiedDelivery>,
): Promise<Outcome> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof node.SignatureError) return error.code;
    throw error;
  }
}

interface Judged {
  readonly headers: Record<string, unknown>;
  readonly wanted: Outcome;
  readonly node: Outcome;
  readonly web: Outcome;
}

/** One hostile delivery before one of the receivers, in one of the shapes that bodies and headers have. */
async function judge(dice: Dice): Promise<Judged> {
  const { options, onNode, onWeb } = dice.pick(receivers);
  const headers = hostileHeaders(dice);
  const isText = Object.keys(headers).every((name) => textOf(headers, name.toLowerCase()) !== null);
  const source = (isText && dice.chance(0.3) ? asReader(headers) : headers) as node.HeaderSource;
  const body = dice.pick(bodies);
  const wanted = expected({ ...options, now: NOW }, BODY, headers);
  const verdicts = [verdict(() => onNode(body, source)), verdict(() => onWeb(body, source))] as const;
  const [node, web] = await Promise.all(verdicts);
  return { headers, wanted, node, web };
}

const isUnlike = ({ wanted, node, web }: Judged): boolean =>
  [node, web].some((outcome) => !isDeepStrictEqual(outcome, wanted));

test('node, the web and the documents judge 25,000 hostile deliveries alike', async () => {
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
      const dice = new Dice(seed);
      const judged = await Promise.all(Array.from({ length: BATCH }, () => judge(dice)));
      expect(judged.filter(isUnlike)).toEqual([]);
      for (const { wanted } of judged) {
        const code = typeof wanted === 'string' ? wanted : 'accepted';
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }),
    { numRuns: RUNS },
  );
  // A generator that no longer reaches an answer would compare nothing there.
  expect(counts.size).toBe(7);
  expect(Math.min(...counts.values())).toBeGreaterThan(25);
  expect(counts.get('accepted')).toBeGreaterThan(2_500);
}, 120_000);
