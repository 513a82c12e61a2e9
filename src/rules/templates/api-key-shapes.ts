/** The shapes of API keys, grouped by the character that must precede them. */

/**
 * The character before a key: any; neither letter nor digit; no `_` either; no `-` either. A letter or a digit that
 * ends an escape, `\n` or `%22`, does not count.
 */
export type LeftEdge = 'none' | 'word' | 'name' | 'lone';

/** Shapes that are looked for together: one pattern for each kind of edge, each of at most 200 code points. */
export interface KeyGroup {
  readonly left: LeftEdge;
  /** RE2 syntax; no capturing groups. Together they have at most 20 beginnings. */
  readonly shapes: readonly string[];
}

const none = (...shapes: readonly string[]): KeyGroup => ({ left: 'none', shapes });
const word = (...shapes: readonly string[]): KeyGroup => ({ left: 'word', shapes });
const name = (...shapes: readonly string[]): KeyGroup => ({ left: 'name', shapes });
const lone = (...shapes: readonly string[]): KeyGroup => ({ left: 'lone', shapes });

/** A slash, as it is, escaped in JSON text, or encoded in a URL. */
const SLASH = '(?:\\\\?/|%2F)';

const GUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * Passwords in URLs, such as `postgres://user:password@host`, as they are or escaped in JSON text, and encoded in
 * another URL. The group is what precedes the password. A placeholder such as `${PASSWORD}` or `<password>` is not a
 * password.
 */
export const URL_PASSWORDS = [
  { regex: '(:(?:\\\\?/){2}[^\\s/?#@:"\'<>]*:)[^\\s/?#@"\'<>${*[\\\\][^\\s/?#@"\'<>\\\\]*@', after: '@' },
  {
    regex: '(%3A(?:%2F){2}[\\w.~-]*%3A)(?:[\\w.~-]|%25)(?:[\\w.~!()*-]|%2[145-9A-E]|%3[ABD])*%40',
    after: '%40',
  },
] as const;

/**
 * The families and their shapes are those of gitleaks' `config/gitleaks.toml` (MIT), as far as a prefix tells a key
 * from other text; the rest is written after the issuers' documentation.
 *
 * A prefix that words end in, or that occurs in base64 by chance, needs an edge on its left. A prefix that may be part
 * of a name in snake_case has no `_` where keys have none.
 */
export const API_KEYS: readonly KeyGroup[] = [
  // JSON Web Tokens, signed or encrypted; first, so that none is taken for the older kind of Grafana's keys
  none('eyJ[\\w-]+(?:\\.{1,2}[\\w-]+){2,}'),
  // GitHub
  none('gh[opsur]_[0-9A-Za-z]{30,}'),
  none('github_pat_[0-9A-Za-z]{20}\\w{2,}'),
  // GitLab
  none(
    'gl(?:pat|ptt|rt|cbt|dt|ft|soat|ffct|imt|agent|oas)-[\\w-]{20,}(?:\\.[0-9a-z]{2,9}){0,2}',
    'GR1348941[\\w-]{20}',
    '_gitlab_session(?:=|%3D)[0-9a-z]{32}',
  ),
  // npm, Hugging Face, Grafana; Docker, PyPI, RubyGems, Clojars
  word(
    'npm_[0-9A-Za-z]{30,}',
    'hf_[0-9A-Za-z]{30,}',
    'glc_[0-9A-Za-z+/]{32,}(?:=|%3D){0,3}',
    'eyJrIjoi[0-9A-Za-z]{70,}(?:=|%3D){0,3}',
  ),
  none(
    'glsa_[0-9A-Za-z]{32}\\w*',
    'dckr_[po]at_[\\w-]{20,}',
    'pypi-AgE[\\w-]{40,}',
    'rubygems_[0-9a-f]{48}',
    'CLOJARS_[0-9A-Za-z]{60}',
  ),
  // Slack
  none(
    'xox[bcdeops]-\\d[\\w-]{9,}',
    'xox[ar]-[\\w-]{10,}',
    'xoxe\\.xox[bp]-[\\w-]{10,}',
    'xapp-\\d-[0-9A-Z]{8,}-\\d{8,}-[0-9A-Za-z]{16,}',
  ),
  // Hooks of Slack, Discord and Teams
  none(`hooks\\.slack\\.com${SLASH}(?:services|workflows|triggers)(?:${SLASH}\\w+){2,5}`),
  none(`discord(?:app)?\\.com${SLASH}api(?:${SLASH}v\\d+)?${SLASH}webhooks(?:${SLASH}[\\w-]+){2}`),
  none(`webhook\\.office\\.com${SLASH}webhookb2${SLASH}[\\w-]+(?:@|%40)[\\w-]+(?:${SLASH}[\\w-]+){2,4}`),
  // Discord bots: the first part is the bot's id in base64, digits all
  none('(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){4}[\\w-]{6,14}\\.[\\w-]{6}\\.[\\w-]{27,}'),
  // Stripe and its like; webhook signing secrets
  word('[rs]k_(?:live|test|prod)_[0-9A-Za-z]{16,}'),
  none('whsec_(?:[0-9A-Za-z+/]|%2[BF]){16}(?:[\\w+/-]|%2[BF])*(?:=|%3D){0,2}'),
  // Square, Shopify, Shippo; Duffel, Flutterwave, Plaid
  none(
    'sq0(?:atp|csp)-[\\w-]{22,}',
    'shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{32}',
    'shippo_(?:live|test)_[0-9A-Fa-f]{40}',
  ),
  none(
    'duffel_(?:test|live)_[\\w=-]{43}',
    'FLW(?:SEC|PUB)K(?:_TEST)?-[0-9A-Za-z]{12,}(?:-X)?',
    'access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  ),
  // Square, Facebook, EasyPost; AWS, Alibaba; Stripe's organizations, Replicate, Databricks
  word(
    'EAAA[El][\\w-]{59}',
    'EAA[MC][0-9A-Za-z]{100,}',
    'EZ[AT]K[0-9A-Za-z]{54}',
    'A3T[0-9A-Z]{17}\\b',
    'LTAI[0-9A-Za-z]{20}',
  ),
  word(
    'ABSK[0-9A-Za-z+/]{100,}(?:=|%3D){0,2}',
    'sk_org_(?:live|test)_[0-9A-Za-z]{16,}',
    'r8_[0-9A-Za-z]{37,}',
    'dapi[0-9A-Fa-f]{32}',
  ),
  none('A(?:[KSB]I|CC)A[0-9A-Z]{16}'),
  // OpenAI, Anthropic, OpenRouter; Perplexity, Groq, xAI, Pinecone, LangSmith
  word(
    'sk-(?:proj|svcacct|admin|None|ant)-[\\w-]{40,}',
    'sk-or-v1-[0-9a-f]{40,}',
    'sk-[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20,}',
  ),
  none(
    'pplx-[0-9A-Za-z]{40,}',
    'gsk_[0-9A-Za-z]{40,}',
    'xai-[0-9A-Za-z]{60,}',
    'pcsk_[0-9A-Za-z]{5,6}_[0-9A-Za-z]{50,}',
    'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}',
  ),
  // DeepSeek and others; Mailgun; Infracost
  lone('sk-[0-9A-Za-z]{32,}', 'key-[0-9A-Fa-f]{32}', 'ico-[0-9A-Za-z]{32}'),
  // Google, Yandex, and AWS's short-lived keys
  word('AIza[\\w-]{35}', 'AQVN[\\w-]{35,38}', 't1\\.[\\w-]+={0,2}\\.[\\w-]{86}={0,2}'),
  none('ya29\\.[\\w-]{20,}', 'GOCSPX-[\\w-]{24,}', 'bedrock-api-key-YmVk(?:[\\w+/=-]|%2[BF]|%3D){20,}'),
  // Azure: storage, service bus and function keys in connection strings; secrets of Entra apps
  none('(?:Account|SharedAccess)Key(?:=|%3[Dd])(?:[\\w+/]|%2[BF]){40,}(?:=|%3D){0,2}', '\\dQ~[\\w~.-]{30,}'),
  // DigitalOcean, Terraform Cloud, OpenShift, Heroku, Cloudflare's origin certificates
  none(
    'do[opr]_v1_[0-9a-f]{32,}',
    '\\.atlasv1\\.[\\w=-]{60,}',
    'sha256~[\\w-]{43}',
    'HRKU-[\\w-]{30,}',
    'v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}',
  ),
  // Fly, Pulumi, Supabase, Figma, Tailscale
  none(
    'fm[12][ar]?_[0-9A-Za-z+/]{100,}(?:=|%3D){0,3}',
    'pul-[0-9a-f]{40}',
    'sbp_[0-9a-f]{40}',
    'figd_[\\w-]{40,}',
    'tskey-(?:[a-z]{2,9}-)?[0-9A-Za-z]{8,}-[0-9A-Za-z]{16,}',
  ),
  // Vault, Doppler, Fly, Supabase
  word(
    'hv[bsr]\\.(?:[\\w-]{90,}|[0-9A-Za-z]{24,})',
    'dp\\.[a-z]{2,5}\\.[0-9A-Za-z]{40,}',
    'fo1_[\\w-]{43}',
    'sb_secret_[\\w-]{22}_[\\w-]{8}',
  ),
  // Netlify, Scalingo, Render, ClickHouse, Octopus
  word(
    'nfp_[0-9A-Za-z]{36,}',
    'tk-us-[\\w-]{48}',
    'rnd_[0-9A-Za-z]{28,}',
    '4b1d[0-9A-Za-z]{38}\\b',
    'API-[0-9A-Z]{26}\\b',
  ),
  // CircleCI, Harness, Buildkite, Prefect, Sonar, Defined Networking
  none(
    'CCIPAT_\\w{30,}',
    '(?:pat|sat)\\.[\\w-]{22}\\.[0-9A-Za-z]{24}\\.[0-9A-Za-z]{20}',
    'bkua_[0-9a-f]{40}',
    'pnu_[0-9A-Za-z]{36}',
    'sq[uap]_[0-9a-f]{40}',
    'dnkey-[\\w=-]{26}-[\\w=-]{52}',
  ),
  // Artifactory, SettleMint, Sourcegraph
  word('AKCp[0-9A-Za-z]{69}\\b', 'cmVmd[0-9A-Za-z]{59}\\b', 'sm_[aps]at_[0-9A-Za-z]{16}\\b'),
  none('sgp_(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{40}'),
  // 1Password, Authress
  none(
    'A3-[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})(?:-[0-9A-Z]{5}){3}',
    '(?:sc|ext|scauth|authress)_[0-9A-Za-z]{5,30}\\.[0-9A-Za-z]{4,6}\\.acc[_-][0-9A-Za-z-]{10,32}\\.[\\w+/=-]{30,}',
  ),
  // SendGrid, Resend, Twilio, Airtable; Brevo, and Telegram without the number of the bot
  word(
    'SG\\.[\\w-]{22}\\.[\\w-]{43}',
    're_[0-9A-Za-z]{8}_[0-9A-Za-z]{24,}',
    'SK[0-9A-Fa-f]{32}',
    'pat[0-9A-Za-z]{14}\\.[0-9a-f]{64}',
  ),
  none('xkeysib-[\\w-]{60,}', '(?::|%3A)AA[\\w-]{32}(?:\\w\\b|-\\B)'),
  // Linear, Notion, PlanetScale; Notion's older keys
  word('lin_(?:api|oauth)_[0-9A-Za-z]{32,}', 'ntn_[0-9A-Za-z]{40,}', 'pscale_(?:tkn|pw|oauth)_[\\w=.-]{30,}'),
  name('secret_[0-9A-Za-z]{43}'),
  // Typeform, Frame.io, Adobe, 1Password's service accounts
  word(
    'tfp_[0-9A-Za-z][\\w.=-]{58}',
    'fio-u-[\\w=-]{64}',
    'p8e-[0-9A-Za-z]{32}',
    'ops_eyJ[0-9A-Za-z+/]{100,}(?:=|%3D){0,3}',
  ),
  // Atlassian and Bitbucket, Contentful, ReadMe, 42, Mapbox
  none(
    'AT[AC]TT3(?:[\\w=-]|%3D){60,}',
    'CFPAT-[\\w-]{43}',
    'rdme_[0-9a-z]{70}',
    's-s4t2(?:ud|af)-[0-9a-f]{64}',
    'sk\\.eyJ[\\w-]{20,}\\.[\\w-]{20,}',
  ),
  // Postman, Sentry, Dynatrace, age, New Relic, MaxMind
  none(
    'PMAK-[0-9A-Fa-f]{24}-[0-9A-Fa-f]{34}',
    'sntry[su]_(?:[\\w+/=]|%2[BF]|%3D){40,}',
    'dt0c01\\.\\w{24}\\.\\w{64}',
    'AGE-SECRET-KEY-1\\w{58}',
  ),
  none('NRAK-[0-9A-Z]{27}', 'NRJS-[0-9a-f]{19}', 'NRII-[\\w-]{32}'),
  none('[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk'),
  // NVIDIA, Neon, Tavily, Jina, Razorpay
  none(
    'nvapi-[\\w-]{60,}',
    'napi_[0-9a-z]{50,}',
    'tvly-(?:[a-z]{3,4}-)?[0-9A-Za-z-]{30,}',
    'jina_[0-9a-f]{32}[\\w-]{20,}',
    'rzp_(?:live|test)_[0-9A-Za-z]{14}',
  ),
  // HubSpot, Langfuse; ElevenLabs, Cerebras, Bitbucket's app passwords
  word(
    `(?:pat-(?:na|eu|ap)\\d|sk-lf)-${GUID}`,
    'sk_[0-9a-f]{48}\\b',
    'csk-[0-9a-z]{40,}',
    'ATBB[0-9A-Za-z]{32}',
  ),
  // Dropbox, Google's refresh tokens; Asana, of bounded length, since its beginnings are common in base64
  none('sl\\.(?:u\\.)?[\\w-]{100,}', '1(?://|\\\\/\\\\/|%2F%2F)0[\\w-]{40,}'),
  none(`[12]${SLASH}\\d{12,20}(?:${SLASH}\\d{12,20})?(?::|%3A)[0-9a-f]{32}`),
  // Mailchimp; Azure DevOps
  word('[0-9a-f]{32}-us\\d{1,2}\\b', '[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}\\b'),
  // Private keys, their line breaks as they are, escaped or encoded; one that is cut off ends with its text
  none(
    '-----BEGIN[ +%0-9A-Z]{0,40}PRIVATE(?: |\\+|%20)KEY[ +%0-9A-Z]{0,9}-----(?:-{0,4}[^-])*(?:-----END[ +%0-9A-Z]{0,60}-----)?',
  ),
];
