/** The template `redact_api_keys`. Keys are put together here, so that no scanner takes them for leaked ones. */
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileRules,
  diffJson,
  lintRules,
  ruleTemplates,
  type Event,
  type Rule,
} from '../../../src/index.js';
import { API_KEYS } from '../../../src/rules/templates/api-key-shapes.js';

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
const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = UPPER.toLowerCase();
const hex = (length: number): string => of(`${DIGITS}abcdef`, length);
const alnum = (length: number): string => of(DIGITS + UPPER + lower, length);
const web = (length: number): string => of(`${UPPER}${DIGITS}-${lower}_`, length);
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
  ['GitLab, routable', `glpat-${web(27)}.01.${of(DIGITS + lower, 9)}`],
  ['npm', `npm_${alnum(36)}`],
  ['PyPI', `pypi-AgEIcHlwaS5vcmc${web(80)}`],
  ['Docker', `dckr_pat_${web(27)}`],
  ['RubyGems', `rubygems_${hex(48)}`],
  ['Hugging Face', `hf_${of(UPPER + lower, 34)}`],
  ['Slack bot', `xoxb-${of(DIGITS, 12)}-${of(DIGITS, 13)}-${alnum(24)}`],
  ['Slack user', `xoxp-${of(DIGITS, 12)}-${of(DIGITS, 12)}-${of(DIGITS, 12)}-${hex(32)}`],
  ['Slack app', `xapp-1-A${of(DIGITS + UPPER, 10)}-${of(DIGITS, 13)}-${hex(64)}`],
  ['Slack configuration', `xoxe.xoxp-1-${of(UPPER + DIGITS, 163)}`],
  ['Slack hook', `hooks.slack.com/services/T${of(UPPER, 8)}/B${of(UPPER, 10)}/${alnum(24)}`],
  ['Discord hook', `discord.com/api/webhooks/${of(DIGITS, 19)}/${web(68)}`],
  ['Discord hook of a version', `discordapp.com/api/v10/webhooks/${of(DIGITS, 18)}/${web(68)}`],
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
  ...['AKIA', 'ASIA'].map((kind) => [`AWS ${kind}`, `${kind}${of(`${UPPER}234567`, 16)}`] as const),
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
  ['Notion', `ntn_${of(DIGITS, 11)}${alnum(35)}`],
  ['Notion, older', `secret_${alnum(43)}`],
  ['Airtable', `pat${alnum(14)}.${hex(64)}`],
  ['Atlassian', `ATATT3${web(186)}`],
  ['Alibaba', `LTAI${alnum(20)}`],
  ['Artifactory', `AKCp${alnum(69)}`],
  ['Artifactory, reference', `cmVmd${alnum(59)}`],
  ['Adobe', `p8e-${of(DIGITS + lower, 32)}`],
  ['Clojars', `CLOJARS_${hex(60)}`],
  ['Cloudflare Origin CA', `v1.0-${hex(24)}-${hex(146)}`],
  ['Authress', `sc_${of(lower, 12)}.${of(lower, 4)}.acc_${of(lower + DIGITS, 12)}.${alnum(43)}`],
  ['Authress, extension', `ext_${of(lower, 12)}.${of(lower, 4)}.acc-${of(lower + DIGITS, 12)}.${alnum(43)}`],
  ['1Password service account', `ops_eyJ${alnum(260)}`],
  [
    '1Password secret',
    `A3-${of(UPPER, 6)}-${of(UPPER, 11)}-${of(UPPER, 5)}-${of(DIGITS, 5)}-${of(UPPER, 5)}`,
  ],
  ['ClickHouse', `4b1d${alnum(38)}`],
  ['AWS A3T', `A3T${of(UPPER, 17)}`],
  ['AWS Bedrock', `ABSK${alnum(120)}`],
  [
    'AWS Bedrock, short-lived',
    `bedrock-api-key-${Buffer.from('bedrock.amazonaws.com/?Action=Call').toString('base64')}`,
  ],
  ['Defined Networking', `dnkey-${web(26)}-${web(52)}`],
  ...['test', 'live'].map((kind) => [`Duffel ${kind}`, `duffel_${kind}_${web(43)}`] as const),
  ['EasyPost', `EZAK${alnum(54)}`],
  ['EasyPost, test', `EZTK${alnum(54)}`],
  ['Facebook page', `EAAM${alnum(160)}`],
  ['Flutterwave secret', `FLWSECK_TEST-${hex(32)}-X`],
  ['Flutterwave encryption', `FLWSECK_TEST-${hex(12)}`],
  ['Flutterwave public', `FLWPUBK_TEST-${hex(32)}-X`],
  ['Frame.io', `fio-u-${web(64)}`],
  ['Infracost', `ico-${alnum(32)}`],
  ['Octopus', `API-${of(UPPER + DIGITS, 26)}`],
  ['OpenShift', `sha256~${web(43)}`],
  ['Prefect', `pnu_${alnum(36)}`],
  ['ReadMe', `rdme_${of(DIGITS + lower, 70)}`],
  ['Scalingo', `tk-us-${web(48)}`],
  ...['', 'local_', `${hex(16)}_`].map((kind) => [`Sourcegraph ${kind}`, `sgp_${kind}${hex(40)}`] as const),
  ['Typeform', `tfp_${web(59)}`],
  ...['squ', 'sqp', 'sqa'].map((kind) => [`Sonar ${kind}`, `${kind}_${hex(40)}`] as const),
  ...['pat', 'sat'].map((kind) => [`Harness ${kind}`, `${kind}.${web(22)}.${hex(24)}.${alnum(20)}`] as const),
  ...['pat', 'aat', 'sat'].map((kind) => [`SettleMint ${kind}`, `sm_${kind}_${alnum(16)}`] as const),
  ['Yandex', `AQVN${web(36)}`],
  ['Yandex, session', `t1.${web(60)}.${web(86)}`],
  ['New Relic browser', `NRJS-${hex(19)}`],
  ['New Relic insert', `NRII-${web(32)}`],
  ['Grafana, older', `eyJrIjoi${alnum(80)}`],
  ['Grafana cloud', `glc_${alnum(60)}==`],
  ['Grafana service account', `glsa_${alnum(32)}_${hex(8)}`],
  ['MaxMind', `${alnum(6)}_${alnum(29)}_mmk`],
  ['Stripe organization', `sk_org_live_${alnum(60)}`],
  ['Supabase', `sb_secret_${web(22)}_${alnum(8)}`],
  ['Supabase, personal', `sbp_${hex(40)}`],
  ['Netlify', `nfp_${alnum(36)}`],
  ['Tailscale', `tskey-auth-k${alnum(9)}CNTRL-${alnum(32)}`],
  ['Resend', `re_${alnum(8)}_${alnum(24)}`],
  ['CircleCI', `CCIPAT_${alnum(22)}_${hex(40)}`],
  ['Contentful', `CFPAT-${web(43)}`],
  ['Buildkite', `bkua_${hex(40)}`],
  ['Render', `rnd_${alnum(28)}`],
  ['Pinecone', `pcsk_${alnum(5)}_${alnum(63)}`],
  ['LangSmith', `lsv2_pt_${hex(32)}_${hex(10)}`],
  ['GitLab, session', `_gitlab_session=${hex(32)}`],
  ['GitLab, runner', `GR1348941${web(20)}`],
  ['Slack, refresh', `xoxe-1-${of(UPPER + DIGITS, 146)}`],
  ['Slack, older', `xoxa-2-${alnum(40)}`],
  ['Shippo', `shippo_live_${hex(40)}`],
  ['Plaid', `access-sandbox-${guid}`],
  ['Replicate', `r8_${alnum(37)}`],
  ['Perplexity', `pplx-${alnum(48)}`],
  ['xAI', `xai-${alnum(80)}`],
  ['DeepSeek', `sk-${hex(32)}`],
  ['Terraform Cloud', `.atlasv1.${web(67)}`],
  ['Fly', `fm2_${alnum(120)}`],
  ['Fly, older', `fo1_${web(43)}`],
  ['Figma', `figd_${web(40)}`],
  ['42', `s-s4t2ud-${hex(64)}`],
  ['Mapbox', `sk.${base64('{"u":"somebody","a":"1"}')}.${web(22)}`],
  ['Dynatrace', `dt0c01.${of(UPPER + DIGITS, 24)}.${of(UPPER + DIGITS, 64)}`],
  ['Postman', `PMAK-${hex(24)}-${hex(34)}`],
  ['Sentry', `sntryu_${hex(64)}`],
  ['New Relic', `NRAK-${of(UPPER + DIGITS, 27)}`],
  ['PlanetScale', `pscale_tkn_${web(43)}`],
  ['Sentry, organization', `sntrys_eyJ${alnum(40)}+/${alnum(20)}==_${alnum(30)}/+${alnum(10)}`],
  ...['na1', 'eu1'].map((region) => [`HubSpot ${region}`, `pat-${region}-${guid}`] as const),
  ['NVIDIA', `nvapi-${web(64)}`],
  ['Langfuse', `sk-lf-${guid}`],
  ['ElevenLabs', `sk_${hex(48)}`],
  ['Bitbucket, app password', `ATBB${alnum(32)}`],
  ['Bitbucket, access token', `ATCTT3${web(180)}=${hex(8)}`],
  ['Google refresh token', `1//0${web(100)}`],
  ['Dropbox', `sl.${web(140)}`],
  ['Dropbox, newer', `sl.u.${web(180)}`],
  ['Azure DevOps', `${alnum(52)}JQQJ99BAAA${alnum(14)}AZDO${alnum(4)}`],
  ['Neon', `napi_${of(DIGITS + lower, 64)}`],
  ['Tavily', `tvly-${alnum(32)}`],
  ['Tavily, development', `tvly-dev-${alnum(32)}`],
  ['Jina', `jina_${hex(32)}${web(28)}`],
  ['Cerebras', `csk-${of(DIGITS + lower, 48)}`],
  ['Asana', `1/${of(DIGITS, 16)}:${hex(32)}`],
  ['Asana, newer', `2/${of(DIGITS, 16)}/${of(DIGITS, 16)}:${hex(32)}`],
  ['Mailchimp', `${hex(32)}-us21`],
  ...['live', 'test'].map((kind) => [`Razorpay ${kind}`, `rzp_${kind}_${alnum(14)}`] as const),
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

/** Keys that `_` makes a part of a name: `cache_key-…` is not a key. */
const LONE = /^(?:sk-[0-9a-f]{32}$|key-|ico-|secret_)/;

describe.for(families)('%s', ([, key]) => {
  test.for(surroundings.filter(({ name }) => name !== 'after _' || !LONE.test(key)))('$name', ({ put }) => {
    expect(redacted({ deep: [{ text: put(key) }] })).toEqual({ deep: [{ text: put('[redacted]') }] });
  });
});

test('all that is left of a bot key of Telegram is the number of the bot, and of a secret of Entra its beginning', () => {
  expect(redacted(`${of(DIGITS, 10)}:AA${web(33)}`)).toBe(`${of(DIGITS, 10)}[redacted]`);
  expect(redacted(`abc8Q~${web(34)}`)).toBe('abc[redacted]');
});

const passwords: readonly (readonly [before: string, password: string, after: string])[] = [
  ['postgres://app:', 's3cr3t', '@db.example.com:5432/app'],
  ['https://me:', 'p%40ss:word!', '@example.com/a?b=c'],
  ['redis://:', 'hunter2', '@127.0.0.1:6379/0'],
  ['mongodb+srv://a.b-c:', '~x=1&y', '@cluster0.mongodb.net'],
];

test.for(passwords)(
  'the password in %s…%s is redacted, and the rest of the URL stays',
  ([before, password, after]) => {
    const whole = `${before}${password}${after}`;
    const left = `${before}[redacted]${after}`;
    expect(redacted({ text: `see ${whole}, or "${whole}"` })).toEqual({ text: `see ${left}, or "${left}"` });
    expect(redacted(`{"log":"${escaped(whole).replaceAll('/', '\\/')}"}`)).toBe(
      `{"log":"${escaped(left).replaceAll('/', '\\/')}"}`,
    );
    const encoded = encodeURIComponent(left).replace('%5Bredacted%5D', '[redacted]');
    expect(redacted(`url=${encodeURIComponent(whole)}&n=1`)).toBe(`url=${encoded}&n=1`);
    expect(redacted(left)).toBe(left);
  },
);

test('each shape has a sample that it takes whole', () => {
  const shapes = API_KEYS.flatMap((group) => group.shapes);
  const idle = shapes.filter((shape) => !families.some(([, key]) => new RegExp(`^(?:${shape})$`).test(key)));
  expect(idle).toEqual([]);
});

test('ops and patterns leave room within the bounds of a rule', () => {
  expect(found!.rule.action).toMatchObject({ type: 'transform' });
  const { ops } = found!.rule.action as { readonly ops: readonly unknown[] };
  expect(ops.length).toBeLessThanOrEqual(85);
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

/** Prefixes of keys inside identifiers and slugs: beginnings that lead up to them, and words or digests that follow. */
const ambiguous: readonly (readonly [
  prefix: string,
  beginnings: readonly string[],
  tails: readonly string[],
])[] = [
  ['sk_test_', ['ta', 'di', 'ri', 'ma', 'fla'], ['configuration', 'internationalization', alnum(24)]],
  ['sk_live_', ['ta', 'de', 'kio'], ['environment', 'internationalization', alnum(24)]],
  ['rk_test_', ['netwo', 'framewo', 'benchma'], ['integration', 'internationalization', alnum(24)]],
  ['rk_prod_', ['webwo', 'pa', 'spa'], ['deployment', 'internationalization', alnum(24)]],
  ['sk-', ['ta', 'de', 'ma', 'fla', 'my-ta', 'locale-'], [hex(32), hex(40), hex(64), alnum(48)]],
  ['sk-proj-', ['ta', 'di'], ['management-and-planning-of-the-next-quarter-and-year']],
  ['key-', ['tur', 'mon', 'basket-', 'cache_', 'cache-'], [hex(32), hex(40), hex(64)]],
  ['ico-', ['mex', 'favicon-', 'calic'], [hex(32), hex(64)]],
  ['secret_', ['my_', 'client_', 'THE_'], [alnum(43), alnum(60)]],
  ['hf_', ['c', 'bu', 'wha'], [alnum(30), hex(40)]],
  ['npm_', ['p'], [hex(32), hex(40)]],
  ['re_', ['featu', 'co', 'softwa'], [`${of(lower, 8)}_${of(lower, 24)}`]],
  ['rnd_', ['ba'], [hex(32)]],
  ['r8_', ['doke', 've'], [hex(40)]],
  ['SK', ['TA', 'DE', 'RI'], [hex(32)]],
  ['dapi', ['cor'], [hex(32)]],
  ['hvs.', ['', 'c'], ['a-long-name-in-kebab-case-of-some-host']],
  ['ghs_', ['hi', 'lau'], ['and_lows_of_the_market_in_the_last_ten_years']],
  ['lin_api_', ['kot', 'ber'], ['reference_documentation_generator_utils', hex(32)]],
  ['xoxo-', [''], ['from-all-of-us-at-the-office']],
  ['whsec_', [''], ['signature_verification_error']],
  ['sm_pat_', ['pri'], [alnum(16)]],
  ['4b1d', ['', 'a'], [hex(36), hex(60)]],
  ['pat-', ['com', 'repo-', ''], ['na1-deployment-of-the-next-quarter', `eu-${guid}`]],
  ['sk-lf-', ['ta', 'di', ''], ['documentation-of-the-interface', hex(20)]],
  ['sk_', ['ta', 'di', 'ri'], [hex(48), hex(40)]],
  ['sk_', [''], [hex(40), hex(64), `${hex(47)}z`]],
  ['csk-', ['de', 'dis'], [of(DIGITS + lower, 48), 'and-chair-for-the-office-in-the-old-town']],
  ['nvapi-', [''], ['documentation-and-guides', alnum(40)]],
  ['napi_', [''], ['create_function_with_a_very_long_name_and_no_digits_in_it', 'throw_error', alnum(20)]],
  ['tvly-', [''], ['search', alnum(12)]],
  ['jina_', [''], ['embeddings_configuration_of_the_environment_and_more', hex(30)]],
  ['rzp_', ['live_', ''], ['live_configuration', 'test_payment', 'order_of_the_month']],
  ['ATBB', ['A', 'x9'], [alnum(32)]],
  ['ATBB', [''], [alnum(20)]],
  ['ATCTT', [''], [`2${web(80)}`]],
  ['sl.', ['hs', ''], ['example.com', web(60), 'u.example.com']],
  ['1//', ['', '2'], ['0', `1${web(60)}`, `0${alnum(12)}`]],
  ['https://example.com/1//', [''], [alnum(20)]],
  ['1/', ['', 'v'], [of(DIGITS, 16), `${of(DIGITS, 16)}:${hex(31)}`, `2026:${hex(32)}`]],
  [hex(32), ['a', 'z'], ['-us21', '-us-east-1']],
  [hex(32), [''], ['-us-east-1', '-usa', '-eu1', '-us123']],
  [alnum(60), [''], [`AZDO${alnum(4)}`, 'AZDO']],
  ['sntrys_', [''], ['configuration', 'eyJ%2B%2F', alnum(20)]],
  [
    'postgres://',
    [''],
    ['user@host/db', 'host:5432/db', 'user:$PASSWORD@host/db', 'user:<password>@host/db'],
  ],
  [
    'https://',
    [''],
    ['example.com:8080/a@b', 'example.com/a:b@c', '${USER}:${TOKEN}@github.com', 'a:***@b.example'],
  ],
  ['ssh://', [''], ['git@github.com:22/a', 'git@github.com:a/b.git']],
];

/** Names and addresses that words make by chance. */
const lookAlikes = ambiguous.flatMap(([prefix, beginnings, tails]) =>
  beginnings.flatMap((beginning) => tails.map((tail) => `${beginning}${prefix}${tail}`)),
);

test.for(lookAlikes)('%s is a name and no key, wherever it stands', (text) => {
  for (const { put } of surroundings.filter(({ name }) => name !== 'after _')) {
    expect(redacted(put(text))).toBe(put(text));
  }
  expect(redacted(`see src/${text}.go`)).toBe(`see src/${text}.go`);
});

test('what follows a letter of a word is never a key of a prefix that words end in', () => {
  const prefixes = [
    'sk_live_',
    'rk_test_',
    'sk-',
    'key-',
    'hf_',
    'secret_',
    'SK',
    'npm_',
    'rnd_',
    're_',
    'ico-',
    'tk-us-',
  ];
  const letters = fc.string({ unit: fc.constantFrom(...lower), minLength: 1, maxLength: 12 });
  const sentence = fc.tuple(fc.array(letters, { maxLength: 4 }), fc.constantFrom('_', '-'), letters);
  const tail = fc.string({ unit: fc.constantFrom(...DIGITS, ...lower), minLength: 16, maxLength: 70 });
  fc.assert(
    fc.property(sentence, fc.constantFrom(...prefixes), tail, ([words, joint, last], prefix, rest) => {
      // A prefix of its own, of Cerebras.
      fc.pre(`${last}${prefix}` !== 'csk-');
      const text = [...words, `${last}${prefix}${rest}`].join(joint);
      expect(redacted({ text })).toEqual({ text });
    }),
  );
});

test.for([
  'src/network_test_integration.go, framework_test_runner_utils.py, disk_test_configuration',
  'refs/heads/task_test_environment, webwork_prod_deployment, park_live_music_festival',
  'the risk_test_results_summary of the risk_test_configuration_and_deployment',
  `https://x.com/task-${hex(32)} https://x.com/turnkey-${hex(32)} basket-key-${hex(32)} my_secret_${alnum(43)}`,
  'github_pat_authentication_settings_page, upscale_pw_configuration_of_the_environment',
  `SHA256:AA${alnum(41)}, SHA1:AA${hex(38).toUpperCase()}`,
  'the sketchy-looking-thing-over-there-is-fine, a task-force of disk-usage and risk-management',
  'ghp_ and sk-proj- and AKIA are prefixes; hooks.slack.com/services is a path',
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
    const found = new Set<string>();
    for (const { name, body } of payloads) {
      for (const { path, before } of diffJson(body, redacted(body))) {
        found.add(`${name} ${path}`);
        expect(before).toMatch(/X-Amz-Credential=AKIA[0-9A-Z]{16}%2F/);
      }
    }
    expect([...found]).toEqual(['package package.package_version.package_files.0.download_url']);
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
    ['a key in each line', fill((i) => `${i} ${key} sk_live_${alnum(24)} AKIA${of(UPPER, 16)}\n`)],
    ['JSON text of a log', JSON.stringify(fill(log)).slice(0, 1 << 20)],
    ['an encoded log', encodeURIComponent(fill(log)).slice(0, 1 << 20)],
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
  expect(lintRules([rule])).toEqual([]);
  const small = compileRules([rule], { patterns: { budget: 50_000 } });
  const text = `ghp_${alnum(36)} `.repeat(2_000);
  const { event, matched, limits } = small.evaluate(eventWith({ a: 'clean', b: text, c: 'after' }));
  expect(matched).toEqual([rule]);
  expect(limits.length).toBeGreaterThan(0);
  expect(JSON.stringify(event)).not.toContain('ghp_');
});
