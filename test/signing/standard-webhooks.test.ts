/** Signatures of Standard Webhooks 1.0, beside the reference library, and receivers that accept either scheme. */
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { DeliveryDetails, SchemeOption } from '../../src/signing/index.js';
import { BODY, NOW, outcome, runtimes } from './runtimes.js';

/** The vector that the tests of the reference libraries for JavaScript, Python, Go and others share. */
const KNOWN = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const SECRET = KNOWN.secret;
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const about: DeliveryDetails = {
  eventId: 'evt_1',
  eventType: 'invoice.paid',
  origin: 'live',
  timestamp: NOW,
};

/** The MAC as the specification defines it. */
const macOf = (secret: string, id: string, timestamp: number | string, body: string): string =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');

const secrets = () =>
  fc.integer({ min: 24, max: 64 }).map((bytes) => `whsec_${randomBytes(bytes).toString('base64')}`);

describe.each(runtimes)('Standard Webhooks on $name', (runtime) => {
  const { createSigner, createVerifier } = runtime;

  test('the reference library verifies what is signed, for every secret of a rotation', async () => {
    const bodies = fc.string({ unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(fc.array(secrets(), { minLength: 1, maxLength: 3 }), bodies, async (all, body) => {
        const timestamp = Math.floor(Date.now() / 1_000);
        const payload = JSON.stringify(body);
        const signer = createSigner({ secrets: all, scheme: 'standard_webhooks' });
        const headers = await signer.headers(payload, { ...about, timestamp });
        for (const secret of all) expect(new Webhook(secret).verify(payload, headers)).toEqual(body);
        expect(() => new Webhook(OTHER).verify(payload, headers)).toThrow();
      }),
    );
  });

  test('the published vector is signed as its libraries sign it', async () => {
    const { id: eventId, timestamp, body, signature } = KNOWN;
    const signer = createSigner({ secrets: SECRET, scheme: 'both' });
    const headers = await signer.headers(body, { ...about, eventId, timestamp });
    expect(headers).toMatchObject({
      'webhook-id': eventId,
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': signature,
    });
  });

  test('what the reference library signs is genuine', async () => {
    const at = new Date(KNOWN.timestamp * 1_000);
    const signature = new Webhook(SECRET).sign(KNOWN.id, at, KNOWN.body);
    const headers = {
      'webhook-id': KNOWN.id,
      'webhook-timestamp': `${KNOWN.timestamp}`,
      'webhook-signature': signature,
    };
    const verify = createVerifier({ secrets: ['whsec_old', SECRET], now: () => KNOWN.timestamp });
    const delivery = { eventId: KNOWN.id, eventType: '', origin: 'live', timestamp: KNOWN.timestamp };
    expect(await verify(KNOWN.body, headers)).toEqual(delivery);
  });

  test.for<{ scheme: SchemeOption; names: readonly string[] }>([
    {
      scheme: 'svc',
      names: ['Svc-Event-Id', 'Svc-Event-Type', 'Svc-Origin', 'Svc-Timestamp', 'Svc-Signature'],
    },
    {
      scheme: 'standard_webhooks',
      names: ['Svc-Event-Type', 'Svc-Origin', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
    },
    {
      scheme: 'both',
      names: [
        ...['Svc-Event-Id', 'Svc-Event-Type', 'Svc-Origin', 'Svc-Timestamp', 'Svc-Signature'],
        ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      ],
    },
  ])(
    'the scheme $scheme has its headers, and its receiver learns the same of it',
    async ({ scheme, names }) => {
      const headers = await createSigner({ secrets: SECRET, scheme }).headers(BODY, about);
      expect(Object.keys(headers)).toEqual(['Content-Type', 'User-Agent', ...names]);
      expect(await outcome(runtime, { secrets: SECRET }, BODY, headers)).toEqual(about);
      expect(await outcome(runtime, { secrets: OTHER }, BODY, headers)).toBe('signature_mismatch');
      expect(await outcome(runtime, { secrets: SECRET }, `${BODY} `, headers)).toBe('signature_mismatch');
    },
  );

  test('several signatures are in one header, one for each secret', async () => {
    const signer = createSigner({ secrets: [SECRET, OTHER], scheme: 'both' });
    const headers = await signer.headers(BODY, about);
    const macs = [SECRET, OTHER].map((secret) => `v1,${macOf(secret, 'evt_1', NOW, BODY)}`);
    expect(headers['webhook-signature']).toBe(macs.join(' '));
    expect(await signer.signature(BODY, NOW)).toBe(headers['Svc-Signature']);
  });

  const genuine = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': `${NOW}`,
    'webhook-signature': `v1,${macOf(SECRET, 'evt_1', NOW, BODY)}`,
  };
  test.for<[string, Record<string, string | undefined>, string]>([
    ['another id', { 'webhook-id': 'evt_2' }, 'signature_mismatch'],
    ['no id', { 'webhook-id': undefined }, 'malformed_header'],
    ['an id with a full stop', { 'webhook-id': 'evt.1' }, 'malformed_header'],
    ['an id with a blank', { 'webhook-id': 'evt 1' }, 'malformed_header'],
    ['an id beyond ASCII', { 'webhook-id': 'évt_1' }, 'malformed_header'],
    ['no time', { 'webhook-timestamp': undefined }, 'malformed_header'],
    ['a time of thirteen digits', { 'webhook-timestamp': '1700000000000' }, 'malformed_header'],
    ['a time that is not a number', { 'webhook-timestamp': 'now' }, 'malformed_header'],
    ['another time', { 'webhook-timestamp': `${NOW - 1}` }, 'signature_mismatch'],
    ['an old time', { 'webhook-timestamp': `${NOW - 301}` }, 'timestamp_too_old'],
    ['another version alone', { 'webhook-signature': 'v1a,AAAA' }, 'malformed_header'],
    ['no version', { 'webhook-signature': macOf(SECRET, 'evt_1', NOW, BODY) }, 'malformed_header'],
    ['an empty signature', { 'webhook-signature': '' }, 'malformed_header'],
    ['no signature', { 'webhook-signature': undefined }, 'missing_header'],
    ['a wrong origin', { 'svc-origin': 'dead' }, 'malformed_header'],
    ['a signature of Svc that is wrong', { 'svc-signature': `t=${NOW},v1=00` }, 'signature_mismatch'],
  ])('%s is refused', async ([, change, code]) => {
    const headers = { ...genuine, ...change };
    expect(await outcome(runtime, { secrets: SECRET }, BODY, headers)).toBe(code);
  });

  test('other versions beside a genuine one are passed over, and the first sixteen count', async () => {
    const [mac] = [genuine['webhook-signature']];
    const filled = (count: number) => ['v1a,AAAA', ...Array<string>(count).fill('v1,AAAA'), mac].join(' ');
    const verdict = (signature: string) =>
      outcome(runtime, { secrets: SECRET }, BODY, { ...genuine, 'webhook-signature': signature });
    expect(await verdict(filled(15))).toMatchObject({ eventId: 'evt_1' });
    expect(await verdict(filled(16))).toBe('signature_mismatch');
  });

  test('a secret that Standard Webhooks cannot use says so, and does not weaken the other scheme', async () => {
    const verify = createVerifier({ secrets: 'whsec_test', now: () => NOW });
    await expect((async () => verify(BODY, genuine))()).rejects.toMatchObject({
      code: 'signature_mismatch',
      message: expect.stringContaining('no secret is whsec_ and the base64 of 24 to 64 bytes') as string,
    });
  });

  test.for([
    ['whsec_test', 'short'],
    [`whsec_${Buffer.alloc(23, 1).toString('base64')}`, '23 bytes'],
    [`whsec_${Buffer.alloc(65, 1).toString('base64')}`, '65 bytes'],
    [`whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}`, 'the alphabet of URLs'],
    [`whsec_${Buffer.alloc(32, 1).toString('base64').replace('=', '')}`, 'no padding'],
    [`${SECRET}\n`, 'a line break'],
  ])('%j is refused by a signer: %s', ([secret]) => {
    for (const scheme of ['standard_webhooks', 'both'] as const) {
      const make = () => createSigner({ secrets: [SECRET, secret!], scheme });
      expect(make).toThrow(expect.objectContaining({ code: 'invalid_secret' }));
      expect(make).toThrow(/^secrets\[1\]: .*give whsec_ and the base64 of 24 to 64 bytes/);
      expect(make).not.toThrow(secret);
      expect(() => createSigner({ secrets: secret!, scheme })).toThrow(/^secrets\[0\]: /);
    }
    expect(() => createSigner({ secrets: secret! })).not.toThrow();
    expect(() => createSigner({ secrets: secret!, scheme: 'svc' })).not.toThrow();
  });

  test('an unknown scheme, and an id that cannot be signed, are refused', async () => {
    const make = () => createSigner({ secrets: SECRET, scheme: 'standard' as never });
    expect(make).toThrow(/^scheme: got String; give 'svc', 'standard_webhooks' or 'both'$/);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    const signer = createSigner({ secrets: SECRET, scheme: 'both' });
    for (const eventId of ['evt.1', '', 'a b', 'é']) {
      await expect((async () => signer.headers(BODY, { ...about, eventId }))()).rejects.toMatchObject({
        code: 'invalid_header',
        message: 'eventId: got String; give ASCII without blanks and full stops',
      });
    }
  });
});
