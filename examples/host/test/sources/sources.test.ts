/** Sources: what a provider signs is genuine, and nothing else is. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeaderPairs } from '../../src/http/headers.js';
import { newSigningSecret } from '../../src/secrets/signing-secret.js';
import {
  challengeOf,
  checkSourceSettings,
  deliveryIdOf,
  isSourceName,
  secretHeadersOf,
  type SourceName,
  type SourceSettings,
  sources,
  verifySource,
} from '../../src/sources/index.js';
import { type Sender, senders } from './senders.js';

const NOW = 1_700_000_000;
const OK = { ok: true };
const refusal = (code: string) => ({ ok: false, code });
const withSecrets = (...secrets: string[]): SourceSettings => ({ secrets, header: null });
const settingsOf = ({ secretOf }: Sender, ...seeds: string[]): SourceSettings =>
  withSecrets(...seeds.map(secretOf));

/** The verdict on a request at {@link NOW}, or at other Unix milliseconds. */
const verify = (
  name: SourceName,
  settings: SourceSettings,
  headers: HeaderPairs,
  body: string,
  now = NOW * 1000,
) => verifySource(name, { headers, body: Buffer.from(body), now }, settings);

const idOf = (name: SourceName, headers: HeaderPairs, body = '') =>
  deliveryIdOf(name, { headers, body: Buffer.from(body) });

const ids = () => fc.stringMatching(/^[\w-]{1,60}$/);
const bodies = () => fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
const seeds = () => fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 });
const replaceHeader = (headers: HeaderPairs, name: string, change: (value: string) => string): HeaderPairs =>
  headers.map(([given, value]) => [given, given.toLowerCase() === name ? change(value) : value]);

describe.each(senders)('$source', (sender) => {
  const { source, secretOf, sign, needs, idIn, signsId } = sender;

  test('what its sender signs with any of the secrets is genuine, whatever the case of the names', async () => {
    await fc.assert(
      fc.asyncProperty(
        seeds(),
        fc.nat(3),
        bodies(),
        ids(),
        fc.boolean(),
        async (all, nth, body, id, isUpper) => {
          const headers = await sign(secretOf(all[nth % all.length]!), body, NOW, id);
          const spelled = headers.map(
            ([name, value]) => [isUpper ? name.toUpperCase() : name, value] as const,
          );
          expect(verify(source, settingsOf(sender, ...all), spelled, body)).toEqual(OK);
          const isInBody = idIn !== 'header';
          const sent = isInBody ? JSON.stringify({ [idIn.member]: id }) : body;
          expect(idOf(source, spelled, sent)).toEqual({ id, isSigned: signsId, isInBody });
        },
      ),
    );
  });

  test('what is signed with another secret is refused', async () => {
    await fc.assert(
      fc.asyncProperty(seeds(), fc.string(), bodies(), ids(), async (all, other, body, id) => {
        fc.pre(!all.includes(other));
        const headers = await sign(secretOf(other), body, NOW, id);
        const verdict = verify(source, settingsOf(sender, ...all), headers, body);
        expect(verdict).toEqual(refusal('signature_mismatch'));
      }),
    );
  });

  test('another body is refused', async () => {
    await fc.assert(
      fc.asyncProperty(bodies(), bodies(), async (body, other) => {
        fc.pre(body !== other);
        const headers = await sign(secretOf('a'), body, NOW, 'id');
        const verdict = verify(source, settingsOf(sender, 'a'), headers, other);
        expect(verdict).toEqual(refusal('signature_mismatch'));
      }),
    );
  });

  test('one character changed in a header that is signed or signs is refused', async () => {
    const headers = await sign(secretOf('a'), '{}', NOW, 'id');
    fc.assert(
      fc.property(
        fc.constantFrom(...needs),
        fc.nat(200),
        fc.constantFrom(...'0af=, .vA+é'),
        (name, at, to) => {
          const changed = replaceHeader(headers, name, (value) => {
            fc.pre(at < value.length && value[at] !== to);
            return value.slice(0, at) + to + value.slice(at + 1);
          });
          expect(verify(source, settingsOf(sender, 'a'), changed, '{}').ok).toBe(false);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each(needs)('%s must be there, once, and not empty', async (name) => {
    const headers = await sign(secretOf('a'), '{}', NOW, 'id');
    const without = headers.filter(([given]) => given.toLowerCase() !== name);
    const own = headers.filter(([given]) => given.toLowerCase() === name);
    const code = (given: HeaderPairs) => verify(source, settingsOf(sender, 'a'), given, '{}');
    expect(code(without)).toEqual(refusal('missing_header'));
    expect(code([...headers, ...own])).toEqual(refusal('repeated_header'));
    expect(code([[name, 'forged'], ...headers])).toEqual(refusal('repeated_header'));
    expect(code(replaceHeader(headers, name, () => ''))).toEqual(refusal('malformed_header'));
    expect(code(replaceHeader(headers, name, (value) => `${value}, ${value}`)).ok).toBe(false);
  });

  test('any headers at all give a verdict', () => {
    const names = () => fc.constantFrom(...needs, 'svc-origin', 'svix-id', 'svix-signature', 'svc-timestamp');
    const values = () =>
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('t=1,v1=', 'v0=', 'sha256=', '1'));
    fc.assert(
      fc.property(fc.array(fc.tuple(names(), values())), bodies(), (headers, body) => {
        expect(verify(source, settingsOf(sender, 'a'), headers, body).ok).toBe(false);
        idOf(source, headers, body);
      }),
    );
  });

  test('without a secret every request is refused', async () => {
    const headers = await sign(secretOf('a'), '{}', NOW, 'id');
    expect(verify(source, withSecrets(), headers, '{}')).toEqual(refusal('unusable_settings'));
    expect(verify(source, withSecrets(''), headers, '{}')).toEqual(refusal('unusable_settings'));
  });

  test('its secrets, ours and 16 of them are taken, and its headers are stored', () => {
    expect(checkSourceSettings(source, settingsOf(sender, ...'abcdefghijklmnop'))).toEqual([]);
    expect(checkSourceSettings(source, withSecrets(newSigningSecret()))).toEqual([]);
    expect(secretHeadersOf(source, settingsOf(sender, 'a'))).toEqual([]);
  });
});

describe('a signature with a time', () => {
  test.each(senders.filter(({ hasTime }) => hasTime))(
    '$source holds for five minutes on either side, in whole seconds',
    async (sender) => {
      const { source, secretOf, sign } = sender;
      const headers = await sign(secretOf('a'), '{}', NOW, 'id');
      const at = (milliseconds: number) =>
        verify(source, settingsOf(sender, 'a'), headers, '{}', milliseconds);
      expect(at(NOW * 1000 + 300_999)).toEqual(OK);
      expect(at(NOW * 1000 + 301_000)).toEqual(refusal('timestamp_too_old'));
      expect(at(NOW * 1000 - 300_000)).toEqual(OK);
      expect(at(NOW * 1000 - 300_001)).toEqual(refusal('timestamp_in_future'));
      expect(at(NaN)).toEqual(refusal('timestamp_too_old'));
    },
  );
});

describe('published examples', () => {
  // GitHub, "Validating webhook deliveries".
  test('of GitHub', () => {
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const headers: HeaderPairs = [['X-Hub-Signature-256', signature]];
    expect(verify('github', withSecrets("It's a Secret to Everybody"), headers, 'Hello, World!')).toEqual(OK);
  });

  // Slack, "Verifying requests from Slack".
  test('of Slack', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V' +
      '&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
      '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
      '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const headers: HeaderPairs = [
      ['X-Slack-Signature', 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'],
      ['X-Slack-Request-Timestamp', '1531420618'],
    ];
    const settings = withSecrets('8f742231b10e8888abcd99yyyzzz85a5');
    expect(verify('slack', settings, headers, body, 1_531_420_618_000)).toEqual(OK);
  });

  // Standard Webhooks' libraries; and Svix, "Verifying webhooks manually", with headers of its own names.
  test.for([
    {
      brand: 'webhook',
      secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      values: [
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        '1614265330',
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      ],
      body: '{"test": 2432232314}',
    },
    {
      brand: 'svix',
      secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
      values: ['msg_loFOjxBNrRLzqYUf', '1731705121', 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0='],
      body: '{"event_type":"ping","data":{"success":true}}',
    },
  ])('of Standard Webhooks, in headers that begin with $brand', ({ brand, secret, values, body }) => {
    const [id = '', time = '', signature = ''] = values;
    const headers = (given: string): HeaderPairs => [
      [`${brand}-id`, id],
      [`${brand}-timestamp`, time],
      [`${brand}-signature`, given],
    ];
    const verdict = (given: string) =>
      verify('standard_webhooks', withSecrets(secret), headers(given), body, Number(time) * 1000);
    expect(verdict(signature)).toEqual(OK);
    expect(verdict(`v1a,aGVsbG8= v1,${'A'.repeat(43)}= ${signature} v2,x`)).toEqual(OK);
    expect(verdict(signature.replace('v1,', 'v2,'))).toEqual(refusal('malformed_header'));
    expect(idOf('standard_webhooks', headers(signature))).toMatchObject({ id, isSigned: true });
  });
});

describe('standard_webhooks', () => {
  test('an id with a full stop is refused, since it could be cut at another position', async () => {
    const sender = senders.find(({ source }) => source === 'standard_webhooks')!;
    const body = `${NOW}.{}`;
    const headers = await sender.sign(sender.secretOf('a'), body, NOW, 'id');
    expect(verify('standard_webhooks', settingsOf(sender, 'a'), headers, body)).toEqual(OK);
    const cut = replaceHeader(headers, 'webhook-id', (id) => `${id}.${NOW}`);
    expect(verify('standard_webhooks', settingsOf(sender, 'a'), cut, '{}')).toEqual(
      refusal('malformed_header'),
    );
  });
});

describe('headgate', () => {
  const sender = senders.find(({ source }) => source === 'headgate')!;
  const headersOf = () => sender.sign(sender.secretOf('a'), '{}', NOW, 'evt_1') as HeaderPairs;

  test('a time that differs between two headers is refused', () => {
    const changed = replaceHeader(headersOf(), 'svc-timestamp', () => String(NOW + 1));
    expect(verify('headgate', settingsOf(sender, 'a'), changed, '{}')).toEqual(refusal('timestamp_mismatch'));
  });

  test('a replay is not a repeat of its event, but a captured replay is a repeat of the replay', () => {
    const replay = replaceHeader(headersOf(), 'svc-origin', () => 'replay');
    expect(verify('headgate', settingsOf(sender, 'a'), replay, '{}')).toEqual(OK);
    const body = '{"id":"evt_1"}';
    expect(idOf('headgate', headersOf(), body)).toMatchObject({ id: 'evt_1' });
    expect(idOf('headgate', replay, body)).toMatchObject({ id: `evt_1@${NOW}`, isSigned: true });
  });

  test.for(['[]', '"evt_1"', '{"id":7}', '{', ''])('the body %j has no id', (body) => {
    expect(idOf('headgate', headersOf(), body)).toBe(null);
  });
});

describe('challenges', () => {
  // Slack, "url_verification".
  const body =
    '{"token":"Jhj5dZrVaK7ZwHHjRyZWjbDl","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P","type":"url_verification"}';
  const challenge = (name: SourceName, text: string) => challengeOf(name, Buffer.from(text));

  test('Slack reads its own in the answer, and no other source has one', () => {
    for (const name of Object.keys(sources) as SourceName[]) {
      const expected = name === 'slack' ? '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P' : null;
      expect(challenge(name, body)).toBe(expected);
    }
  });

  test.for([
    '',
    'null',
    '1',
    '[]',
    '{',
    '{"type":"url_verification"}',
    '{"type":"url_verification","challenge":1}',
  ])('%s asks for none', (text) => {
    expect(challenge('slack', text)).toBe(null);
  });

  test('an event that only looks like one asks for none', () => {
    expect(challenge('slack', body.replace('url_verification', 'event_callback'))).toBe(null);
    expect(challenge('slack', body + ' '.repeat(2_000))).toBe(null);
  });

  test('any bytes at all give an answer', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => challengeOf('slack', bytes) === null));
  });
});

describe('token', () => {
  const settings: SourceSettings = { secrets: ['old token', 'new-token'], header: 'X-Gitlab-Token' };
  const given = (...values: string[]) =>
    verify(
      'token',
      settings,
      values.map((value) => ['x-gitlab-TOKEN', value] as const),
      '{}',
    );

  test.for([
    ['old token', true],
    ['new-token', true],
    ['Bearer new-token', true],
    ['bearer  new-token', true],
    ['new-token ', false],
    ['new-toke', false],
    ['new-tokens', false],
    ['NEW-TOKEN', false],
    ['Bearer', false],
    ['Bearer Bearer new-token', false],
    ['', false],
  ] as const)('%j is a token: %j', ([value, holds]) => {
    expect(given(value)).toEqual(holds ? OK : refusal('signature_mismatch'));
  });

  test('a token must be there, once', () => {
    expect(given()).toEqual(refusal('missing_header'));
    expect(given('new-token', 'new-token')).toEqual(refusal('repeated_header'));
    expect(given('wrong', 'new-token')).toEqual(refusal('repeated_header'));
  });

  test('any text is a token just when it is one of the secrets', () => {
    const tokens = () => fc.stringMatching(/^[!-~]{1,40}$/);
    fc.assert(
      fc.property(fc.array(tokens(), { minLength: 1, maxLength: 4 }), tokens(), (secrets, value) => {
        const own = { secrets, header: 'x' };
        fc.pre(checkSourceSettings('token', own).length === 0);
        expect(verify('token', own, [['X', value]], '').ok).toBe(secrets.includes(value));
        for (const secret of secrets) expect(verify('token', own, [['X', secret]], '')).toEqual(OK);
      }),
    );
  });

  test('the header that carries it is not stored', () => {
    expect(secretHeadersOf('token', settings)).toEqual(['x-gitlab-token']);
  });
});

describe('the table', () => {
  test('names each source as it is found', () => {
    for (const [name, source] of Object.entries(sources)) expect(source.name).toBe(name);
    expect(Object.keys(sources).sort()).toEqual([
      'github',
      'headgate',
      'none',
      'slack',
      'standard_webhooks',
      'stripe',
      'token',
    ]);
  });

  test.for(['', 'GitHub', 'gitlab', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%j is not a source, and nothing is genuine for it',
    (name) => {
      expect(isSourceName(name)).toBe(false);
      // As a row of a newer version would name one.
      const unknown = name as SourceName;
      expect(verify(unknown, withSecrets('a'), [], '{}')).toEqual(refusal('unknown_source'));
    },
  );

  test('none takes everything, and has no delivery ids', () => {
    expect(verify('none', withSecrets(), [['webhook-id', 'a']], '{}')).toEqual(OK);
    expect(idOf('none', [['webhook-id', 'a']], '{"id":"a"}')).toBe(null);
    expect(secretHeadersOf('none', withSecrets())).toEqual([]);
  });

  test.for(['', 'a'.repeat(256), 'ä', 'a b', 'a\tb'])('%j is not a delivery id', (id) => {
    expect(idOf('github', [['X-GitHub-Delivery', id]])).toBe(null);
    expect(idOf('stripe', [], JSON.stringify({ id }))).toBe(null);
  });

  test('an id that was sent twice is ignored', () => {
    const headers: HeaderPairs = [
      ['X-GitHub-Delivery', 'a'],
      ['x-github-delivery', 'b'],
    ];
    expect(idOf('github', headers)).toBe(null);
  });
});

describe('settings', () => {
  const long = 'a'.repeat(1_001);
  test.for<{ name: SourceName; settings: SourceSettings; found: string[] }>([
    { name: 'none', settings: withSecrets('a'), found: ['unexpected_setting /secrets'] },
    { name: 'none', settings: { secrets: [], header: 'x' }, found: ['unexpected_setting /header'] },
    { name: 'github', settings: withSecrets(), found: ['missing_setting /secrets'] },
    { name: 'github', settings: { secrets: ['a'], header: 'x' }, found: ['unexpected_setting /header'] },
    {
      name: 'github',
      settings: withSecrets(...Array<string>(17).fill('a')),
      found: ['too_many_secrets /secrets'],
    },
    {
      name: 'slack',
      settings: withSecrets('', 'ok', 'undefined', '[object Object]', 'a\n', '\ud800', long),
      found: [0, 2, 3, 4, 5, 6].map((at) => `invalid_secret /secrets/${at}`),
    },
    { name: 'standard_webhooks', settings: withSecrets('whsec_'), found: ['invalid_secret /secrets/0'] },
    { name: 'standard_webhooks', settings: withSecrets('whsec_a b='), found: ['invalid_secret /secrets/0'] },
    { name: 'standard_webhooks', settings: withSecrets('whpk_a.b'), found: ['invalid_secret /secrets/0'] },
    { name: 'token', settings: withSecrets('a'), found: ['missing_setting /header'] },
    {
      name: 'token',
      settings: { secrets: [], header: null },
      found: ['missing_setting /secrets', 'missing_setting /header'],
    },
    { name: 'token', settings: { secrets: [' a'], header: 'x' }, found: ['invalid_secret /secrets/0'] },
    { name: 'token', settings: { secrets: ['ä'], header: 'x' }, found: ['invalid_secret /secrets/0'] },
    { name: 'token', settings: { secrets: ['a'], header: 'x y' }, found: ['invalid_header_name /header'] },
    { name: 'token', settings: { secrets: ['a'], header: '' }, found: ['invalid_header_name /header'] },
    {
      name: 'token',
      settings: { secrets: ['a'], header: 'Content-Type' },
      found: ['invalid_header_name /header'],
    },
    { name: 'token', settings: { secrets: ['a'], header: 'Authorization' }, found: [] },
  ])('of $name: $found', ({ name, settings, found }) => {
    const issues = checkSourceSettings(name, settings);
    expect(issues.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(found);
    const verdict = verify(name, settings, [], '{}');
    expect(verdict.ok).toBe(false);
    if (found.length > 0) expect(verdict).toEqual(refusal('unusable_settings'));
  });

  test('no message quotes a secret', () => {
    const names = () => fc.constantFrom(...(Object.keys(sources) as SourceName[]));
    const secret = () => fc.string({ minLength: 6 }).map((text) => `§${text}\n`);
    fc.assert(
      fc.property(names(), fc.array(secret(), { minLength: 1 }), (name, secrets) => {
        const issues = checkSourceSettings(name, { secrets, header: null });
        expect(issues.length).toBeGreaterThan(0);
        for (const { message } of issues) expect(message).not.toContain('§');
      }),
    );
  });
});
