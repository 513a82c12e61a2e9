import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OptionError } from '../../src/errors.js';
import type { DeliveryDetails } from '../../src/signing/index.js';
import { BODY, NOW, runtimes, SECRET, SIGNATURE } from './runtimes.js';

const about: DeliveryDetails = {
  eventId: 'evt_1',
  eventType: 'webhook.received',
  origin: 'live',
  timestamp: NOW,
};

/** The error that an act throws or rejects with. */
async function thrown(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe.each(runtimes)('signing on $name', ({ name, createSigner, createVerifier }) => {
  const signer = createSigner({ secrets: SECRET });

  test('the known answer', async () => {
    expect(await signer.signature(BODY, NOW)).toBe(SIGNATURE);
    expect(await signer.signature(new TextEncoder().encode(BODY), NOW)).toBe(SIGNATURE);
  });

  test('a view into a larger buffer is signed for what it shows', async () => {
    const larger = new TextEncoder().encode(`xx${BODY}yy`);
    expect(await signer.signature(larger.subarray(2, -2), NOW)).toBe(SIGNATURE);
  });

  test('one v1 for each secret, oldest first', async () => {
    const [older, newer] = ['old', 'new'].map((secrets) => createSigner({ secrets }));
    const [first, second] = [await older?.signature(BODY, NOW), await newer?.signature(BODY, NOW)];
    const both = await createSigner({ secrets: ['old', 'new'] }).signature(BODY, NOW);
    expect(both).toBe(`${String(first)},${String(second).replace(`t=${NOW},`, '')}`);
  });

  test('the seven headers of the documents, in their spelling and order', async () => {
    expect(Object.entries(await signer.headers(BODY, { ...about, origin: 'replay' }))).toEqual([
      ['Content-Type', 'application/json'],
      ['User-Agent', 'svc-dispatcher/1'],
      ['Svc-Event-Id', 'evt_1'],
      ['Svc-Event-Type', 'webhook.received'],
      ['Svc-Origin', 'replay'],
      ['Svc-Timestamp', String(NOW)],
      ['Svc-Signature', SIGNATURE],
    ]);
  });

  test('a brand renames the headers and the agent', async () => {
    const headers = await createSigner({ secrets: SECRET, brand: 'Acme-Pay' }).headers(BODY, about);
    expect(Object.keys(headers)).toContain('Acme-Pay-Event-Id');
    expect(headers).toMatchObject({ 'User-Agent': 'acme-pay-dispatcher/1', 'Acme-Pay-Signature': SIGNATURE });
  });

  test('a secret that changes in the list of the caller changes nothing', async () => {
    const secrets = [SECRET];
    const early = createSigner({ secrets });
    secrets[0] = 'another';
    expect(await early.signature(BODY, NOW)).toBe(SIGNATURE);
  });

  test('a lone surrogate is signed as U+FFFD', async () => {
    expect(await signer.signature('a\ud800', NOW)).toBe(await signer.signature('a\ufffd', NOW));
  });

  test.for([
    { options: { secrets: '' }, code: 'invalid_secret', because: 'it is empty' },
    { options: { secrets: ['whsec_a', ''] }, code: 'invalid_secret', because: 'the second is empty' },
    { options: { secrets: [] }, code: 'invalid_secret', because: 'there is none' },
    { options: { secrets: Array(17).fill('whsec_a') }, code: 'invalid_secret', because: 'there are 17' },
    { options: { secrets: undefined }, code: 'invalid_secret', because: 'the variable is not set' },
    { options: { secrets: [undefined] }, code: 'invalid_secret', because: 'the variable is not set' },
    { options: { secrets: Buffer.from('whsec_a') }, code: 'invalid_secret', because: 'it is not text' },
    { options: { secrets: 'whsec_a', brand: '' }, code: 'invalid_brand', because: 'it is empty' },
    { options: { secrets: 'whsec_a', brand: 'A B' }, code: 'invalid_brand', because: 'of the space' },
    { options: { secrets: 'whsec_a', brand: 'A\r\nB' }, code: 'invalid_brand', because: 'of the line break' },
    { options: { secrets: 'whsec_a', brand: 'A:' }, code: 'invalid_brand', because: 'of the colon' },
    { options: { secrets: 'whsec_a', brand: 'Ä' }, code: 'invalid_brand', because: 'it is not ASCII' },
    { options: { secrets: 'whsec_a', brand: 7 }, code: 'invalid_brand', because: 'it is not text' },
  ])('$options is $code on both sides, because $because', async ({ options, code }) => {
    for (const create of [createSigner, createVerifier]) {
      const error = await thrown(() => create(options as never));
      expect(error).toBeInstanceOf(OptionError);
      expect(error).toMatchObject({ code, message: expect.not.stringContaining('whsec_a') });
    }
  });

  test('16 secrets are not too many', async () => {
    const secrets = Array.from({ length: 16 }, (_, i) => `secret ${i}`);
    expect((await createSigner({ secrets }).signature(BODY, NOW)).match(/,v1=[0-9a-f]{64}/g)).toHaveLength(
      16,
    );
  });

  test.for([-1, 0.5, 1e12, NaN, Infinity, '1700000000', 1700000000n, null, undefined])(
    'the timestamp %s is invalid_timestamp',
    async (timestamp) => {
      const error = await thrown(() => signer.signature(BODY, timestamp as number));
      expect(error).toBeInstanceOf(OptionError);
      expect(error).toMatchObject({ code: 'invalid_timestamp' });
    },
  );

  test.for([
    { timestamp: 0, text: 't=0,' },
    { timestamp: -0, text: 't=0,' },
    { timestamp: 999_999_999_999, text: 't=999999999999,' },
  ])('the timestamp $timestamp is written $text', async ({ timestamp, text }) => {
    expect(await signer.signature(BODY, timestamp)).toMatch(new RegExp(`^${text}`));
  });

  test.for([
    { body: { a: 1 }, because: 'it is parsed' },
    { body: null, because: 'it is null' },
    { body: undefined, because: 'it was not read' },
    { body: 7, because: 'it is a number' },
    { body: [123, 34], because: 'an array of numbers is no bytes' },
    { body: new ArrayBuffer(8), because: 'a buffer needs a view' },
  ])('the body $body is invalid_body on both sides, because $because', async ({ body }) => {
    const verify = createVerifier({ secrets: SECRET, now: () => NOW });
    for (const act of [
      () => signer.signature(body as never, NOW),
      () => verify(body as never, { 'svc-signature': SIGNATURE }),
    ]) {
      const error = await thrown(act);
      expect(error).toBeInstanceOf(OptionError);
      expect(error).toMatchObject({ code: 'invalid_body' });
    }
  });

  test.for([
    { eventId: 'evt_1\r\nSvc-Origin: replay' },
    { eventId: 'evt_1\n' },
    { eventId: 'evt_\0' },
    { eventId: 'evt_€' },
    { eventId: undefined },
    { eventType: 'webhook\rreceived' },
    { eventType: '😀' },
    { eventType: 7 },
    { origin: 'test' },
    { origin: 'live\n' },
    { origin: undefined },
  ])('%o is invalid_header', async (odd) => {
    const error = await thrown(() => signer.headers(BODY, { ...about, ...odd } as DeliveryDetails));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ code: 'invalid_header' });
  });

  if (name === 'web') {
    test('a secret becomes a key at first use, and only then', async () => {
      const imported = vi.spyOn(crypto.subtle, 'importKey');
      onTestFinished(() => imported.mockRestore());
      const lazy = createSigner({ secrets: ['old', 'new'] });
      expect(imported).not.toHaveBeenCalled();
      await lazy.signature(BODY, NOW);
      await lazy.signature(BODY, NOW);
      expect(imported).toHaveBeenCalledTimes(2);
    });

    test('a body that changes while it is being signed is signed as it was', async () => {
      const body = new TextEncoder().encode(BODY);
      const pending = signer.signature(body, NOW);
      body.fill(0);
      expect(await pending).toBe(SIGNATURE);
    });
  }
});
