/** `headgate sign` and `headgate verify`. */
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createSigner, createVerifier, type SchemeOption } from '../../src/signing/index.js';
import { headgate, NOW, objectsIn } from './session.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const TIME = NOW / 1_000;
const BODY = '{"id":"evt_1","type":"ping","data":{"text":"a/b é","list":[1,2]}}';

const headersOf = (
  body: string | Uint8Array,
  secrets: string | readonly string[] = SECRET,
  scheme: SchemeOption = 'svc',
): Record<string, string> =>
  createSigner({ secrets, scheme }).headers(body, {
    eventId: 'evt_1',
    eventType: 'ping',
    origin: 'live',
    timestamp: TIME,
  });

const onWire = (body: string | Uint8Array, headers: Record<string, string>, end = '\r\n'): Buffer =>
  Buffer.concat([
    Buffer.from(
      [
        'POST /hooks HTTP/1.1',
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        '',
        '',
      ].join(end),
    ),
    Buffer.from(body),
  ]);

describe('headgate sign', () => {
  test('prints headers that verify the very bytes', async () => {
    const bytes = Buffer.concat([Buffer.from(BODY), Buffer.from([0xff, 0x0a])]);
    const { code, out, err } = await headgate(['sign', 'body', '--json'], {
      files: { body: bytes },
      env: { HEADGATE_SECRET: SECRET },
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [headers] = objectsIn(out) as [Record<string, string>];
    const verify = createVerifier({ secrets: SECRET, now: () => TIME });
    expect(verify(bytes, headers)).toMatchObject({ timestamp: TIME, origin: 'live' });
  });

  test('takes id and type of the body, unless they are given, and prints lines for curl', async () => {
    const { out } = await headgate(['sign', '--secret', SECRET], { stdin: BODY });
    expect(out).toBe(
      Object.entries(headersOf(BODY))
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    );
    const other = await headgate(
      [
        'sign',
        '-',
        '--secret',
        SECRET,
        '--event-id',
        'evt_9',
        '--event-type',
        'x',
        '--origin',
        'replay',
        '--brand',
        'Acme',
        '--timestamp',
        '1700000000',
      ],
      { stdin: BODY },
    );
    expect(other.out).toContain(
      'Acme-Event-Id: evt_9\nAcme-Event-Type: x\nAcme-Origin: replay\nAcme-Timestamp: 1700000000\n',
    );
  });

  test.for(['svc', 'standard_webhooks', 'both'] as const)(
    'signs by the scheme %s, as the library does',
    async (scheme) => {
      const { code, out } = await headgate(['sign', '--secret', SECRET, '--scheme', scheme, '--json'], {
        stdin: BODY,
      });
      expect(code).toBe(0);
      const details = { eventId: 'evt_1', eventType: 'ping', origin: 'live', timestamp: TIME } as const;
      expect(objectsIn(out)).toEqual([createSigner({ secrets: SECRET, scheme }).headers(BODY, details)]);
    },
  );

  test('signs with every secret, of options and of files, and then not with that of the environment', async () => {
    const { out } = await headgate(['sign', '--secret', 'old', '--secret-file', 'new'], {
      stdin: BODY,
      files: { new: `${SECRET}\r\n` },
      env: { HEADGATE_SECRET: 'other' },
    });
    expect(out).toContain(headersOf(BODY, ['old', SECRET])['Svc-Signature']);
  });

  test.for([
    { args: ['--secret-file', 'empty'], says: 'empty is empty' },
    { args: ['--secret-file', 'none'], says: 'none: there is no such file' },
    { args: ['--secret', 'x', '--event-id', 'a\nb'], says: 'eventId' },
    { args: ['--secret', 'undefined'], says: 'secrets[0]' },
    { args: ['--secret', 'x', '--brand', 'A B'], says: 'brand' },
    { args: ['--secret', SECRET, '--scheme', 'stripe'], says: 'one of svc, standard_webhooks, both' },
    { args: ['--secret', 'whsec_x', '--scheme', 'both'], says: 'the base64 of 24 to 64 bytes' },
    { args: ['--secret', SECRET, '--scheme', 'both', '--event-id', 'a.b'], says: 'eventId' },
  ])('with $args says $says', async ({ args, says }) => {
    const { code, out, err } = await headgate(['sign', ...args], { stdin: BODY, files: { empty: '\n' } });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });
});

/** Parts of a request, as they are judged. */
type Found = Readonly<
  Record<'headers' | 'body' | 'secret' | 'time', { readonly is: string; readonly how: string }>
>;

describe('headgate verify', () => {
  const verify = async (request: string | Uint8Array, ...args: readonly string[]) => {
    const { code, out, err } = await headgate(['verify', '--secret', SECRET, '--json', ...args], {
      stdin: request,
    });
    expect(err).toBe('');
    return { exit: code, ...(objectsIn(out)[0] as Found) };
  };

  test.for([
    { form: 'on the wire', request: onWire(BODY, headersOf(BODY)) },
    { form: 'of both schemes', request: onWire(BODY, headersOf(BODY, SECRET, 'both')) },
    { form: 'of Standard Webhooks', request: onWire(BODY, headersOf(BODY, SECRET, 'standard_webhooks')) },
    { form: 'with LF alone', request: onWire(BODY, headersOf(BODY), '\n') },
    { form: 'of a Lambda', request: Buffer.from(JSON.stringify({ headers: headersOf(BODY), body: BODY })) },
    {
      form: 'of a Lambda, in base64',
      request: Buffer.from(
        JSON.stringify({
          headers: headersOf(BODY),
          body: Buffer.from(BODY).toString('base64'),
          isBase64Encoded: true,
        }),
      ),
    },
  ])('accepts a genuine request $form', async ({ request }) => {
    expect(await verify(request)).toMatchObject({
      exit: 0,
      genuine: true,
      code: null,
      age_seconds: 0,
      signed_at: '2026-01-31T12:00:00.000Z',
    });
    const { out } = await headgate(['verify', '--secret', SECRET], { stdin: request });
    expect(out).toBe(
      'genuine\n  headers  ok\n  body     ok\n  secret   ok\n  time     ok: it was signed 0 s before it came\n',
    );
  });

  test('takes a body and headers by options', async () => {
    const headers = Object.entries(headersOf(BODY)).flatMap(([name, value]) => [
      '--header',
      `${name}: ${value}`,
    ]);
    const { code } = await headgate(['verify', '--secret', SECRET, '--body', 'body', ...headers], {
      files: { body: BODY },
    });
    expect(code).toBe(0);
  });

  const value: unknown = JSON.parse(BODY);
  test.for([
    { given: `${BODY}\n`, signed: BODY, how: 'has a line break at its end' },
    { given: BODY, signed: `${BODY}\n`, how: 'has lost the line break at its end' },
    { given: BODY, signed: `${BODY}\r\n`, how: 'has lost the line break (CR LF)' },
    { given: `  ${BODY} \n`, signed: BODY, how: 'has blanks around it' },
    { given: '{"a":\r\n1}', signed: '{"a":\n1}', how: 'changed from LF to CR LF' },
    { given: '{"a":\n1}', signed: '{"a":\r\n1}', how: 'changed from CR LF to LF' },
    { given: `\ufeff${BODY}`, signed: BODY, how: 'has a byte order mark' },
    {
      given: JSON.stringify(value, null, 3),
      signed: BODY,
      how: 'was parsed and written again, with other blanks',
    },
    { given: BODY, signed: JSON.stringify(value, null, 2), how: 'without its indentation' },
    {
      given: BODY,
      signed: '{"id": "evt_1", "type": "ping", "data": {"text": "a/b é", "list": [1, 2]}}',
      how: 'without its blanks',
    },
    { given: BODY, signed: BODY.replace('é', '\\u00e9'), how: 'without its escapes' },
    { given: BODY, signed: BODY.replace('/', '\\/'), how: 'without the escapes of its slashes' },
    { given: JSON.stringify(BODY), signed: BODY, how: 'is JSON text with the body in it' },
    { given: Buffer.from(BODY).toString('latin1'), signed: BODY, how: 'was read as Latin-1' },
    { given: Buffer.from(BODY).toString('base64'), signed: BODY, how: 'is in base64' },
    { given: gzipSync(BODY), signed: BODY, how: 'is compressed' },
  ])('tells that the body $how', async ({ given, signed, how }) => {
    const found = await verify(onWire(given, headersOf(signed)));
    expect(found).toMatchObject({
      exit: 1,
      genuine: false,
      code: 'signature_mismatch',
      secret: { is: 'ok' },
      time: { is: 'ok' },
    });
    expect(found.body).toMatchObject({ is: 'wrong' });
    expect(found.body.how).toContain(how);
  });

  const hmac = (key: Uint8Array | string): string => headersOf(BODY, String(key))['Svc-Signature'] ?? '';
  test.for([
    { given: ` ${SECRET}\n`, signed: SECRET, how: 'has blanks, quotes or a line break' },
    { given: `"${SECRET}"`, signed: SECRET, how: 'has blanks, quotes' },
    { given: SECRET, signed: SECRET.slice(6), how: 'without its prefix: a sender here uses it whole' },
    { given: SECRET, signed: `${SECRET}\n`, how: 'lacks the line break' },
    { given: 'c2VjcmV0c2VjcmV0', signed: 'secretsecret', how: 'from base64' },
    { given: 'whsec_c2VjcmV0c2VjcmV0', signed: 'secretsecret', how: 'without its prefix, from base64' },
    { given: '736563726574736563726574', signed: 'secretsecret', how: 'from hexadecimal' },
  ])('tells that the secret $how', async ({ given, signed, how }) => {
    const request = onWire(BODY, { ...headersOf(BODY), 'Svc-Signature': hmac(signed) });
    const { code, out } = await headgate(['verify', '--json', `--secret=${given}`], { stdin: request });
    const [found] = objectsIn(out) as [Found];
    expect(code).toBe(1);
    expect(found).toMatchObject({ body: { is: 'ok' }, secret: { is: 'wrong' }, time: { is: 'ok' } });
    expect(found.secret.how).toContain(how);
    expect(out).not.toContain(signed);
  });

  describe('of Standard Webhooks', () => {
    const OTHER = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const headers = headersOf(BODY, [OTHER, SECRET], 'standard_webhooks');
    const signedWith = (key: Uint8Array | string, prefix = `evt_1.${TIME}.`) => {
      const mac = createHmac('sha256', key).update(prefix).update(BODY).digest('base64');
      return onWire(BODY, { ...headers, 'webhook-signature': `v1,${mac}` });
    };
    const KEY = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

    test('tells body, secret and time apart', async () => {
      const [spaced, other] = [onWire(`${BODY}\n`, headers), onWire(BODY.replace('ping', 'pong'), headers)];
      expect(await verify(spaced)).toMatchObject({
        ...{ exit: 1, code: 'signature_mismatch', secret: { is: 'ok' }, time: { is: 'ok' } },
        body: { is: 'wrong', how: 'has a line break at its end that was not signed' },
      });
      expect(await verify(other)).toMatchObject({
        ...{ exit: 1, body: { is: 'unknown' }, secret: { is: 'unknown' }, time: { is: 'ok' } },
        ...{ age_seconds: 0, signed_at: '2026-01-31T12:00:00.000Z' },
      });
      const late = await verify(onWire(BODY, headers), '--at', String(TIME + 301));
      expect(late).toMatchObject({ code: 'timestamp_too_old', body: { is: 'ok' }, time: { is: 'wrong' } });
    });

    test.for([
      { what: 'the text of the secret', request: signedWith(SECRET), how: 'was signed with as text: ' },
      {
        what: 'the text without its prefix',
        request: signedWith(SECRET.slice('whsec_'.length)),
        how: 'was signed with as text, without its prefix: ',
      },
    ])('tells that $what was used', async ({ request, how }) => {
      const found = await verify(request);
      expect(found).toMatchObject({
        exit: 1,
        body: { is: 'ok' },
        secret: { is: 'wrong' },
        time: { is: 'ok' },
      });
      expect(found.secret.how).toContain(how);
    });

    test('tells that the secret that was given has blanks around it', async () => {
      const { out } = await headgate(['verify', '--json', `--secret= ${SECRET}\n`], {
        stdin: signedWith(KEY),
      });
      expect(objectsIn(out)[0]).toMatchObject({
        body: { is: 'ok' },
        secret: { is: 'wrong', how: 'has blanks, quotes or a line break around it' },
      });
    });

    test('tells that the sender left out the id, or signed the body alone', async () => {
      const withoutId = await verify(signedWith(KEY, `${TIME}.`));
      expect(withoutId.time).toEqual({
        is: 'wrong',
        how: 'was signed without the id before it, which is another scheme',
      });
      expect((await verify(signedWith(KEY, ''))).time).toMatchObject({ is: 'wrong' });
    });
  });

  test('tells of two mistakes at once', async () => {
    const request = onWire(`${BODY}\n`, headersOf(BODY));
    const { out } = await headgate(['verify', '--secret', `${SECRET} `], { stdin: request });
    expect(out).toContain('body     wrong: it has a line break at its end');
    expect(out).toContain('secret   wrong: it has blanks');
  });

  test('suspects a body that is empty', async () => {
    const found = await verify(onWire('', headersOf(BODY)));
    expect(found).toMatchObject({
      exit: 1,
      body: { is: 'unknown', how: 'is empty: was it read before it was captured?' },
    });
  });

  test('says that it does not know, where body and secret cannot be told apart', async () => {
    const found = await verify(onWire(BODY.replace('ping', 'pong'), headersOf(BODY)));
    expect(found).toMatchObject({
      exit: 1,
      code: 'signature_mismatch',
      body: { is: 'unknown' },
      secret: { is: 'unknown' },
    });
  });

  test.for([
    { args: ['--at', '2026-01-31T12:05:00Z'], exit: 0, time: 'ok', how: '5 min before' },
    {
      args: ['--at', '2026-01-31T12:05:01Z'],
      exit: 1,
      time: 'wrong',
      how: 'is too old: it was signed 5 min before it came, and 5 min are accepted',
    },
    {
      args: ['--at', '2026-02-10T12:00:00Z'],
      exit: 1,
      time: 'wrong',
      how: 'is too old: it was signed 10 d before',
    },
    { args: ['--at', '2026-02-10T12:00:00Z', '--max-age', '30d'], exit: 0, time: 'ok', how: '10 d before' },
    {
      args: ['--at', '2026-01-31T11:00:00Z'],
      exit: 0,
      time: 'ok',
      how: 'was signed 60 min after it came: is a clock wrong?',
    },
  ])('with $args the time is $time: $how', async ({ args, exit, time, how }) => {
    const found = await verify(onWire(BODY, headersOf(BODY)), ...args);
    expect(found).toMatchObject({ exit, body: { is: 'ok' }, secret: { is: 'ok' }, time: { is: time } });
    expect(found.time.how).toContain(how);
  });

  test('tells of a time that was changed', async () => {
    const headers = headersOf(BODY);
    const t = await verify(
      onWire(BODY, {
        ...headers,
        'Svc-Signature': (headers['Svc-Signature'] ?? '').replace(`t=${TIME}`, `t=${TIME + 1}`),
      }),
    );
    expect(t).toMatchObject({
      code: 'timestamp_mismatch',
      body: { is: 'ok' },
      time: { is: 'wrong', how: 'was signed as another one: t in the signature header was changed' },
    });
    const header = await verify(onWire(BODY, { ...headers, 'Svc-Timestamp': String(TIME + 1) }));
    expect(header).toMatchObject({
      code: 'timestamp_mismatch',
      body: { is: 'ok' },
      time: {
        is: 'wrong',
        how: 'is given twice, and differs: Svc-Timestamp is not t in the signature header',
      },
    });
  });

  test.for([
    { headers: {}, how: 'svc-signature: missing' },
    { headers: { 'Acme-Signature': 't=1,v1=2' }, how: 'there is acme-signature: is that --brand acme?' },
    { headers: { 'Svc-Signature': 'v1=abc' }, how: 'must have one t=' },
  ])('of the headers $headers says $how', async ({ headers, how }) => {
    const found = await verify(onWire(BODY, { Host: 'x', ...headers }));
    expect(found).toMatchObject({ exit: 1, headers: { is: 'wrong' }, body: { is: 'unknown' } });
    expect(found.headers.how).toContain(how);
  });

  test('of what is no request says so', async () => {
    const { code, err } = await headgate(['verify', '--secret', SECRET], { stdin: 'hello there' });
    expect(code).toBe(2);
    expect(err).toContain('header 1 is not a header');
  });
});
