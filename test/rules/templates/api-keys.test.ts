/** The template `redact_api_keys`. Keys are put together here, so that no scanner takes them for leaked ones. */
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { compileRules, diffJson, lint, ruleTemplates, type Event, type Rule } from '../../../src/index.js';

const found = ruleTemplates.find(({ key }) => key === 'redact_api_keys');
const rule: Rule = { id: 'redact', ...found!.rule };
const rules = compileRules([rule]);
const eventWith = (body: unknown): Event => ({ id: 'evt_1', type: 'webhook.received', data: { body } });
const redacted = (body: unknown): unknown => {
  const { event, limits } = rules.evaluate(eventWith(body));
  expect(limits).toEqual([]);
  return event.data.body;
};

/** Letters and digits that repeat themselves late. */
const of = (alphabet: string, length: number): string =>
  Array.from({ length }, (_, i) => alphabet[(i * 7 + (i >> 3)) % alphabet.length]).join('');
const digits = '0123456789';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = upper.toLowerCase();
const hex = (length: number): string => of(`${digits}abcdef`, length);
const alnum = (length: number): string => of(digits + upper + lower, length);
const web = (length: number): string => of(`${upper}${digits}-${lower}_`, length);
const base64 = (text: string): string => Buffer.from(text).toString('base64url');
const dashes = '-'.repeat(5);
const pem = (kind: string): string =>
  [
    `${dashes}BEGIN ${kind}${dashes}`,
    alnum(64),
    `${alnum(30)}+/${alnum(20)}==`,
    `${dashes}END ${kind}${dashes}`,
  ].join('\n');
const guid = [8, 4, 4, 4, 12].map(hex).join('-');

const families: readonly (readonly [string, string])[] = [
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((kind) => [`GitHub ${kind}`, `${kind}_${alnum(36)}`] as const),
  ['GitHub, fine-grained', `github_pat_${alnum(22)}_${alnum(59)}`],
  ...['pat', 'ptt', 'rt', 'dt', 'ft', 'soat', 'oas', 'agent'].map(
    (kind) => [`GitLab ${kind}`, `gl${kind}-${web(40)}`] as const,
  ),
  ['GitLab, routable', `glpat-${web(27)}.01.${of(digits + lower, 9)}`],
  ['npm', `npm_${alnum(36)}`],
  ['PyPI', `pypi-AgEIcHlwaS5vcmc${web(80)}`],
  ['Docker', `dckr_pat_${web(27)}`],
  ['RubyGems', `rubygems_${hex(48)}`],
  ['Hugging Face', `hf_${of(upper + lower, 34)}`],
  ['Slack bot', `xoxb-${of(digits, 12)}-${of(digits, 13)}-${alnum(24)}`],
  ['Slack user', `xoxp-${of(digits, 12)}-${of(digits, 12)}-${of(digits, 12)}-${hex(32)}`],
  ['Slack app', `xapp-1-A${of(digits + upper, 10)}-${of(digits, 13)}-${hex(64)}`],
  ['Slack configuration', `xoxe.xoxp-1-${of(upper + digits, 163)}`],
  ['Slack hook', `hooks.slack.com/services/T${of(upper, 8)}/B${of(upper, 10)}/${alnum(24)}`],
  ['Discord hook', `discord.com/api/webhooks/${of(digits, 19)}/${web(68)}`],
  ['Discord hook of a version', `discordapp.com/api/v10/webhooks/${of(digits, 18)}/${web(68)}`],
  ['Teams hook', `webhook.office.com/webhookb2/${guid}@${guid}/IncomingWebhook/${hex(32)}/${guid}`],
  ...['10000000000000000', '987654321098765432', '1300000000000000000'].map(
    (id) => [`Discord bot ${id}`, `${base64(id)}.G${web(5)}.${web(38)}`] as const,
  ),
  ...['sk_live', 'sk_test', 'rk_live', 'rk_test'].map(
    (kind) => [`Stripe ${kind}`, `${kind}_${alnum(99)}`] as const,
  ),
  ['a signing secret', `whsec_${alnum(32)}`],
  ['a signing secret in base64', `whsec_${alnum(20)}+/${alnum(20)}=`],
  ['Square', `EAAAE${web(59)}`],
  ['Square, sq0', `sq0atp-${web(22)}`],
  ...['at', 'ca', 'pa', 'ss'].map((kind) => [`Shopify ${kind}`, `shp${kind}_${hex(32)}`] as const),
  ['OpenAI project', `sk-proj-${web(74)}T3BlbkFJ${web(74)}`],
  ['OpenAI service account', `sk-svcacct-${web(60)}`],
  ['OpenAI, older', `sk-${alnum(20)}T3BlbkFJ${alnum(20)}`],
  ['Anthropic', `sk-ant-api03-${web(93)}AA`],
  ['OpenRouter', `sk-or-v1-${hex(64)}`],
  ['Groq', `gsk_${alnum(52)}`],
  ...['AKIA', 'ASIA'].map((kind) => [`AWS ${kind}`, `${kind}${of(`${upper}234567`, 16)}`] as const),
  ['Google API', `AIza${web(35)}`],
  ['Google OAuth', `ya29.${web(100)}`],
  ['Google client secret', `GOCSPX-${web(28)}`],
  ['Azure storage', `AccountKey=${alnum(60)}+/${alnum(24)}==`],
  ['Azure service bus', `SharedAccessKey=${alnum(43)}=`],
  ['Entra app', `8Q~${web(34)}`],
  ['DigitalOcean', `dop_v1_${hex(64)}`],
  ['Databricks', `dapi${hex(32)}`],
  ['Vault', `hvs.${web(95)}`],
  ['Heroku', `HRKU-AA${web(58)}`],
  ['Doppler', `dp.pt.${alnum(43)}`],
  ['Pulumi', `pul-${hex(40)}`],
  ['SendGrid', `SG.${web(22)}.${web(43)}`],
  ['Mailgun', `key-${hex(32)}`],
  ['Brevo', `xkeysib-${hex(64)}-${alnum(16)}`],
  ['Twilio', `SK${hex(32)}`],
  ['Telegram', `:AA${web(33)}`],
  ['Linear', `lin_api_${alnum(40)}`],
  ['Notion', `ntn_${of(digits, 11)}${alnum(35)}`],
  ['Notion, older', `secret_${alnum(43)}`],
  ['Airtable', `pat${alnum(14)}.${hex(64)}`],
  ['Atlassian', `ATATT3${web(186)}`],
  ['Postman', `PMAK-${hex(24)}-${hex(34)}`],
  ['Sentry', `sntryu_${hex(64)}`],
  ['New Relic', `NRAK-${of(upper + digits, 27)}`],
  ['PlanetScale', `pscale_tkn_${web(43)}`],
  ['age', `AGE-SECRET-KEY-1${of('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`],
  ['a JSON Web Token', [`{"alg":"HS256"}`, `{"sub":"1234567890"}`].map(base64).join('.') + `.${web(43)}`],
  ['an encrypted one', `${base64('{"alg":"dir","enc":"A128GCM"}')}..${web(16)}.${web(60)}.${web(22)}`],
  ...['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'].map(
    (kind) => [`a PEM ${kind}`, pem(kind)] as const,
  ),
];

interface Surroundings {
  readonly name: string;
  readonly put: (key: string) => string;
}

const escaped = (key: string): string => JSON.stringify(key).slice(1, -1);

/** Each puts `[redacted]` where it would put the key. */
const surroundings: readonly Surroundings[] = [
  { name: 'alone', put: (key) => key },
  { name: 'after _', put: (key) => `MY_${key}` },
  {
    name: 'encoded',
    put: (key) => (key === '[redacted]' ? `q=%22${key}%22&y=1` : `q=${encodeURIComponent(`"${key}"`)}&y=1`),
  },
  { name: 'in JSON text', put: (key) => `{"log":"one\\n${escaped(key)}\\ntwo"}` },
  { name: 'in a query', put: (key) => `https://example.com/hook?token=${key}&page=2` },
  { name: 'in a sentence', put: (key) => `Use “${key}”, (${key}); then "${key}". Thanks!` },
];

describe.for(families)('%s', ([, key]) => {
  test.for(surroundings)('$name', ({ put }) => {
    expect(redacted({ deep: [{ text: put(key) }] })).toEqual({ deep: [{ text: put('[redacted]') }] });
  });
});

test('all that is left of a bot key of Telegram is the number of the bot, and of a secret of Entra its beginning', () => {
  expect(redacted(`${of(digits, 10)}:AA${web(33)}`)).toBe(`${of(digits, 10)}[redacted]`);
  expect(redacted(`abc8Q~${web(34)}`)).toBe('abc[redacted]');
});

test('a private key whose end is missing takes the rest of its text with it, headers included', () => {
  const cut = `${dashes}BEGIN RSA PRIVATE KEY${dashes}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0\n\n${alnum(80)}`;
  expect(redacted(`see ${cut}`)).toBe('see [redacted]');
});

test('a key is found wherever a body has text: issue, commits, changes, discussion, blocks', () => {
  const key = `ghp_${alnum(36)}`;
  const body = (text: string) => ({
    commits: [{ message: text }],
    changes: { body: { from: text } },
    discussion: { body: text },
    event: { blocks: [{ elements: [{ elements: [{ type: 'text', text }] }] }] },
    [key]: 1,
  });
  expect(redacted(body(`x ${key}`))).toEqual(body('x [redacted]'));
});

test.for([
  'the sketchy-looking-thing-over-there-is-fine, a task-force of disk-usage and risk-management',
  'ghp_ and sk-proj- and AKIA are prefixes; hooks.slack.com/services is a place',
  'npm_config_registry_for_this_very_long_project_name',
  `a commit ${hex(40)}, a digest sha256:${hex(64)}, a task-${guid}`,
  `${dashes}BEGIN CERTIFICATE${dashes}\n${alnum(64)}\n${dashes}END CERTIFICATE${dashes}`,
  'sk_live_short, whsec_short, eyJ.eyJ.sig, AA:BB:CC:AA:11',
  'https://discord.com/api/docs/webhooks/of/somebody, https://example.atlassian.net/browse/KEY-12',
  `data:image/png;base64,${Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * i * 31 + i * 7) % 256)).toString('base64')}`,
])('%s holds no key', (text) => {
  expect(redacted(text)).toBe(text);
});

describe('on GitHub’s published payloads', () => {
  interface Examples {
    readonly name: string;
    readonly examples: readonly unknown[];
  }
  const load = createRequire(import.meta.url);
  const releases = ['api.github.com', ...[31, 32, 33, 34, 35].map((version) => `ghes-${version}`)];
  const payloads = releases
    .flatMap((release) => load(`@octokit/webhooks-examples/${release}/index.json`) as readonly Examples[])
    .flatMap(({ name, examples }) => examples.map((body) => ({ name, body })));

  test('finds the AWS key that signed the download of a package, and nothing else', () => {
    expect(payloads.length).toBeGreaterThan(700);
    const places = new Set<string>();
    for (const { name, body } of payloads) {
      for (const { path, before } of diffJson(body, redacted(body))) {
        places.add(`${name} ${path}`);
        expect(before).toMatch(/X-Amz-Credential=AKIA[0-9A-Z]{16}%2F/);
      }
    }
    expect([...places]).toEqual(['package package.package_version.package_files.0.download_url']);
  });
});

describe('on bodies of 1 MiB', () => {
  const fill = (part: (i: number) => string): string => {
    let text = '';
    for (let i = 0; text.length < 1 << 20; i++) text += part(i);
    return text.slice(0, 1 << 20);
  };
  const key = `ghp_${alnum(36)}`;
  const log = (i: number): string =>
    `2026-01-31T23:59:59Z level=info task-${i} path=/patch/pattern disk-${hex(8)} user=risk-${i} SKU TASK https://example.com/${alnum(12)}?id=${guid}\n`;

  test.for<[string, string]>([
    ['a log', fill(log)],
    [
      'prose',
      fill((i) => `The quick brown fox jumps over the lazy dog, ${i} times; ask-me-anything, desk-bound. `),
    ],
    ['base64', fill((i) => Buffer.from(`${hex(48)}${i}`).toString('base64'))],
    ['hexadecimal', fill((i) => `${hex(60)}${i}`)],
    [
      'a token in each line',
      fill((i) => `Bearer ${base64(`{"alg":"HS256","n":${i}}`)}.${base64(`{"sub":${i}}`)}.${web(43)}\n`),
    ],
    ['a key in each line', fill((i) => `${i} ${key} sk_live_${alnum(24)} AKIA${of(upper, 16)}\n`)],
    [
      'prefixes of keys and no key',
      fill((i) => `${i} ghp_ sk-proj- AKIA xoxb- npm_ SG. pat key- eyJ hvs. AIza `),
    ],
  ])('%s stays within the default budget, in one string and in many', ([, text]) => {
    const lines = text.split(/(?<=\n)/);
    const one = redacted({ log: text }) as { log: string };
    const many = redacted({ lines }) as { lines: string[] };
    expect(one.log.length).toBeGreaterThan(text.length / 10);
    expect(many.lines).toHaveLength(lines.length);
    if (!/Bearer|sk_live_/.test(text)) expect([one.log, many.lines]).toEqual([text, lines]);
  });
});

test('the template is decided whatever a body holds, lints clean, and fails closed beyond the budget', () => {
  expect(lint([rule])).toEqual([]);
  const small = compileRules([rule], { patterns: { budget: 50_000 } });
  const text = `ghp_${alnum(36)} `.repeat(2_000);
  const { event, matched, limits } = small.evaluate(eventWith({ a: 'clean', b: text, c: 'after' }));
  expect(matched).toEqual([rule]);
  expect(limits.length).toBeGreaterThan(0);
  expect(JSON.stringify(event)).not.toContain('ghp_');
});
