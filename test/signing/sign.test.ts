/** Signing. */
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OptionError } from '../../src/errors.js';
import type { Bytes, DeliveryDetails } from '../../src/signing/index.js';
import { BODY, NOW, runtimes, SECRET, SIGNATURE } from './runtimes.js';

const about: DeliveryDetails = {
  eventId: 'evt_1',
  eventType: 'webhook.received',
  origin: 'live',
  timestamp: NOW,
};

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

/** Bytes whose classes are not this module's, as in a test that runs in a context of its own. */
const foreign = (bytes: Uint8Array): Uint8Array =>
  runInNewContext('Uint8Array.from(bytes)', { bytes: Array.from(bytes) }) as Uint8Array;

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

  test.for([
    { shape: 'a Uint8Array', of: (bytes: Uint8Array) => bytes },
    { shape: 'a Buffer', of: (bytes: Uint8Array) => Buffer.from(bytes) },
    { shape: 'an ArrayBuffer', of: (bytes: Uint8Array) => Uint8Array.from(bytes).buffer },
    { shape: 'a SharedArrayBuffer', of: shared },
    { shape: 'a view of shared bytes', of: (bytes: Uint8Array) => new Uint8Array(shared(bytes)) },
    { shape: 'a DataView', of: (bytes: Uint8Array) => new DataView(Uint8Array.from(bytes).buffer) },
    { shape: 'a Uint16Array', of: (bytes: Uint8Array) => new Uint16Array(Uint8Array.from(bytes).buffer) },
    { shape: 'a view of another realm', of: foreign },
    { shape: 'a buffer of another realm', of: (bytes: Uint8Array) => foreign(bytes).buffer },
  ])('$shape is signed and verified as its bytes', async ({ of }) => {
    const text = `${BODY} `; // an even number of bytes
    const body = of(new TextEncoder().encode(text)) as Bytes;
    const signature = await signer.signature(text, NOW);
    expect(await signer.signature(body, NOW)).toBe(signature);
    const verify = createVerifier({ secrets: SECRET, now: () => NOW });
    expect(await verify(body, { 'svc-signature': signature })).toMatchObject({ timestamp: NOW });
  });

  test('a body of no bytes is signed as the empty text, in every shape', async () => {
    const empty = await signer.signature('', NOW);
    for (const body of [new Uint8Array(), new ArrayBuffer(0), new DataView(new ArrayBuffer(4), 2, 0)]) {
      expect(await signer.signature(body, NOW)).toBe(empty);
    }
  });

  test('bytes that were transferred away are not signed as an empty body', async () => {
    const view = new TextEncoder().encode(BODY);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    for (const body of [view, view.buffer]) {
      expect(await thrown(() => signer.signature(body, NOW))).toMatchObject({
        message: expect.stringContaining('detached') as string,
      });
    }
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
    { options: { secrets: null }, code: 'invalid_secret', because: 'there is none' },
    {
      options: { secrets: 'undefined' },
      code: 'invalid_secret',
      because: 'an unset variable was put into text',
    },
    { options: { secrets: 'null' }, code: 'invalid_secret', because: 'null was put into text' },
    {
      options: { secrets: '[object Promise]' },
      code: 'invalid_secret',
      because: 'a promise was put into text',
    },
    { options: { secrets: 7 }, code: 'invalid_secret', because: 'it is not text' },
    { options: { secrets: new Set(['whsec_a']) }, code: 'invalid_secret', because: 'a set is no list' },
    {
      options: { secrets: Promise.resolve('whsec_a') },
      code: 'invalid_secret',
      because: 'it was not awaited',
    },
    {
      options: { secrets: [['whsec_a', 'whsec_b']] },
      code: 'invalid_secret',
      because: 'a list of lists is none',
    },
    { options: 'whsec_a', code: 'invalid_option', because: 'they are an object' },
    { options: ['whsec_a'], code: 'invalid_option', because: 'they are an object' },
    { options: undefined, code: 'invalid_option', because: 'secrets must be given' },
    { options: null, code: 'invalid_option', because: 'secrets must be given' },
    {
      options: new Map([['secrets', 'whsec_a']]),
      code: 'invalid_option',
      because: 'a map is no object of options',
    },
    { options: { secret: 'whsec_a' }, code: 'invalid_option', because: 'it is called secrets' },
    { options: { secrets: 'whsec_a', tolerance: 5 }, code: 'invalid_option', because: 'it is misspelled' },
    {
      options: { secrets: 'whsec_a', tolerance: undefined },
      code: 'invalid_option',
      because: 'it is misspelled',
    },
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

  test('an option of the verifier alone is none of the signer', () => {
    const create = () => createSigner({ secrets: SECRET, toleranceSeconds: 5 } as never);
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  });

  const odd = { date: new Date(NOW * 1_000), bare: Object.create(null) as object };
  test.for([
    -1,
    0.5,
    1e12,
    NaN,
    Infinity,
    '1700000000',
    1700000000n,
    null,
    undefined,
    Symbol('t'),
    odd.date,
    odd.bare,
  ])('the timestamp %s is invalid_timestamp', async (timestamp) => {
    const error = await thrown(() => signer.signature(BODY, timestamp as number));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ code: 'invalid_timestamp' });
  });

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
    { body: new String(BODY), because: 'it is no text but an object' },
    { body: { type: 'Buffer', data: [123, 125] }, because: 'it is what JSON makes of a Buffer' },
    { body: [Buffer.from(BODY)], because: 'its chunks were not joined' },
    { body: Promise.resolve(BODY), because: 'it was not awaited' },
    { body: new Request('https://a.invalid', { method: 'POST', body: BODY }), because: 'it was not read' },
    { body: new Blob([BODY]), because: 'it was not read' },
    { body: new Blob([BODY]).stream(), because: 'it was not read' },
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
    { eventType: ['webhook.received'] },
    { eventId: Symbol('id') },
    { origin: 'live\n' },
    { origin: undefined },
  ])('%o is invalid_header', async (odd) => {
    const error = await thrown(() => signer.headers(BODY, { ...about, ...odd } as DeliveryDetails));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ code: 'invalid_header' });
  });

  test.for([
    { details: null, code: 'invalid_option' },
    { details: undefined, code: 'invalid_option' },
    { details: 'evt_1', code: 'invalid_option' },
    { details: new Map(Object.entries(about)), code: 'invalid_option' },
    { details: { ...about, eventID: 'evt_1' }, code: 'invalid_option' },
    { details: { ...about, timestamp: NOW * 1_000 }, code: 'invalid_timestamp' },
    { details: {}, code: 'invalid_header' },
  ])('headers that are to tell $details: $code', async ({ details, code }) => {
    const error = await thrown(() => signer.headers(BODY, details as never));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ code });
  });

  test('details are read once, wherever they come from', async () => {
    const read: string[] = [];
    class Attempt {
      readonly #tell = <T>(name: string, value: T) => (read.push(name), value);
      get eventId() {
        return this.#tell('eventId', 'evt_1');
      }
      get eventType() {
        return this.#tell('eventType', 'webhook.received');
      }
      get origin() {
        return this.#tell('origin', 'live' as const);
      }
      get timestamp() {
        return this.#tell('timestamp', NOW);
      }
    }
    expect(await signer.headers(BODY, new Attempt())).toMatchObject({ 'Svc-Signature': SIGNATURE });
    expect(read).toEqual(['eventId', 'eventType', 'origin', 'timestamp']);
  });

  test('whatever was handed in may be used again at once', async () => {
    const reused = { ...about };
    const body = new TextEncoder().encode(BODY);
    const pending = signer.headers(body, reused);
    Object.assign(reused, { eventId: 'evt_2', eventType: 'other', origin: 'replay', timestamp: NOW + 1 });
    body.fill(0);
    expect(await pending).toMatchObject({
      'Svc-Event-Id': 'evt_1',
      'Svc-Event-Type': 'webhook.received',
      'Svc-Origin': 'live',
      'Svc-Timestamp': String(NOW),
      'Svc-Signature': SIGNATURE,
    });
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
  }
});
