/** Agreement with Stripe's library. */
import fc from 'fast-check';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { runtimes, SECRET } from './runtimes.js';

const { webhooks } = new Stripe('sk_test_none');

/** Stripe wants the time in milliseconds where we want seconds, and a body that is JSON. */
const deliveries = () =>
  fc.record({
    payload: fc.json({ noNegativeZero: true } as fc.JsonSharedConstraints).map((data) => `{"data":${data}}`),
    secret: fc.stringMatching(/^whsec_[A-Za-z0-9+/]{1,40}$/),
    timestamp: fc.integer({ min: 1, max: 999_999_999_999 }),
  });

test.for(runtimes)("Stripe's library verifies our headers, made on $name", async ({ createSigner }) => {
  await fc.assert(
    fc.asyncProperty(deliveries(), async ({ payload, secret, timestamp }) => {
      const header = await createSigner({ secrets: ['whsec_older', secret] }).signature(payload, timestamp);
      const event = webhooks.constructEvent(payload, header, secret, 300, undefined, timestamp * 1000);
      expect(event).toEqual(JSON.parse(payload));
    }),
  );
});

test.for(runtimes)("we verify the headers of Stripe's library on $name", async ({ createVerifier }) => {
  await fc.assert(
    fc.asyncProperty(deliveries(), async ({ payload, secret, timestamp }) => {
      const header = webhooks.generateTestHeaderString({ payload, secret, timestamp });
      const verify = createVerifier({ secrets: secret, brand: 'Stripe', now: () => timestamp });
      expect(await verify(payload, { 'stripe-signature': header })).toMatchObject({ timestamp });
    }),
  );
});

test.for(runtimes)("Stripe's library refuses what we refuse on $name", ({ createVerifier }) => {
  const header = webhooks.generateTestHeaderString({ payload: '{}', secret: SECRET, timestamp: 1 });
  const options = { secrets: SECRET, brand: 'Stripe', now: () => 302 };
  expect(() => webhooks.constructEvent('{}', header, SECRET, 300, undefined, 302_000)).toThrow();
  return expect(
    (async () => createVerifier(options)('{}', { 'stripe-signature': header }))(),
  ).rejects.toMatchObject({ code: 'timestamp_too_old' });
});
