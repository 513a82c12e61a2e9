/** Redacts strings that look like API keys, wherever they stand in a webhook's body. */
import type { RedactOp, RuleDocument } from '../rule.js';

/** A slash, as it is, escaped in JSON text, or encoded in a URL. */
const SLASH = '(?:\\\\?/|%2F)';

/**
 * Patterns of keys, each of at most 200 code points. The families and their shapes are those of gitleaks'
 * `config/gitleaks.toml` (MIT), as far as a prefix tells a key from other text; Discord, Docker, Google, Telegram and
 * Azure are written after their issuers' documentation.
 *
 * No pattern asks for an edge on the left: `\b` is not there in `MY_ghp_…`, `%22ghp_…` or `\nghp_…` in JSON text. The
 * prefixes are such that none is needed. What is shorter than any key of its family is left alone.
 */
const API_KEYS: readonly string[] = [
  // GitHub
  'gh[opsur]_\\w{30,}',
  'github_pat_\\w{22,}',
  // GitLab
  'gl(?:pat|ptt|rt|cbt|dt|ft|soat|ffct|imt|agent|oas)-[\\w-]{20,}(?:\\.[0-9a-z]{2,9}){0,2}|GR1348941[\\w-]{20}',
  // npm, PyPI, Docker, RubyGems, Hugging Face, Grafana
  'npm_[0-9A-Za-z]{30,}|hf_[0-9A-Za-z]{30,}|dckr_[po]at_[\\w-]{20,}',
  'pypi-AgE[\\w-]{40,}|rubygems_[0-9a-f]{48}|glsa_\\w{32,}|glc_[\\w+/=]{32,}',
  // Slack
  'xox[abceoprs]-[\\w-]{10,}|xoxe\\.xox[bp]-[\\w-]{10,}|xapp-\\d-[\\w-]{10,}',
  // Hooks of Slack, Discord and Teams
  `hooks\\.slack\\.com${SLASH}(?:services|workflows|triggers)(?:${SLASH}\\w+){2,5}`,
  `discord(?:app)?\\.com${SLASH}api(?:${SLASH}v\\d+)?${SLASH}webhooks(?:${SLASH}[\\w-]+){2}`,
  `webhook\\.office\\.com${SLASH}webhookb2${SLASH}[\\w-]+(?:@|%40)[\\w-]+(?:${SLASH}[\\w-]+){2,4}`,
  // Discord bots: the first part is the bot's id in base64, digits all
  '(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){4}[\\w-]{6,14}\\.[\\w-]{6}\\.[\\w-]{27,}',
  // Stripe and its like, webhook signing secrets
  '[rs]k_(?:live|test|prod)_\\w{10,}',
  'whsec_(?:[\\w+/-]|%2[BF]){16,}(?:=|%3D){0,2}',
  // Square, Shopify, Shippo
  'sq0(?:atp|csp)-[\\w-]{22,}|EAAA[El][\\w-]{59}|shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{32}|shippo_(?:live|test)_\\w{40}',
  // OpenAI, Anthropic, OpenRouter; Perplexity, Groq, xAI, Replicate
  'sk-(?:proj|svcacct|admin|None|ant)-[\\w-]{20,}|sk-or-v1-\\w{40,}|sk-[0-9A-Za-z]{32,}',
  'pplx-[0-9A-Za-z]{40,}|gsk_[0-9A-Za-z]{40,}|xai-[0-9A-Za-z]{60,}|r8_[0-9A-Za-z]{37,}',
  // AWS
  'A(?:[KSB]I|CC)A[0-9A-Z]{16}',
  'ABSK[\\w+/]{100,}={0,2}',
  // Google
  'AIza[\\w-]{35}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{24,}',
  // Azure: storage, service bus and function keys in connection strings; secrets of Entra apps
  '(?:Account|SharedAccess)Key(?:=|%3[Dd])(?:[\\w+/]|%2[BF]){40,}(?:=|%3D){0,2}|\\dQ~[\\w~.-]{30,}',
  // DigitalOcean, Databricks, Vault, Terraform Cloud
  'do[opr]_v1_\\w{32,}|dapi[0-9A-Fa-f]{32}|hv[bsr]\\.[\\w-]{24,}|\\.atlasv1\\.[\\w=-]{60,}',
  // Heroku, Fly, Pulumi, Doppler, Supabase, Figma
  'HRKU-[\\w-]{30,}|fm[12][ar]?_[\\w+/]{100,}|pul-[0-9a-f]{40}|dp\\.[a-z]{2,5}\\.\\w{40,}|sbp_[0-9a-f]{40}|figd_[\\w-]{40,}',
  // SendGrid, Mailgun, Brevo, Twilio, and Telegram without the number of the bot
  'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}|xkeysib-[\\w-]{60,}',
  'key-[0-9A-Fa-f]{32}|SK[0-9A-Fa-f]{32}|(?::|%3A)AA[\\w-]{33}',
  // Linear, Notion, Airtable, Atlassian
  'lin_(?:api|oauth)_\\w{32,}|ntn_\\w{40,}|secret_[0-9A-Za-z]{43}|pat[0-9A-Za-z]{14}\\.[0-9a-f]{64}|ATATT3[\\w=-]{60,}',
  // Postman, Sentry, PlanetScale, Dynatrace, New Relic, age
  'PMAK-\\w{24}-\\w{34}|sntry[su]_[\\w+/=]{40,}|pscale_(?:tkn|pw|oauth)_[\\w=.-]{30,}|dt0c01\\.\\w{24}\\.\\w{64}|NRAK-[0-9A-Z]{27}|AGE-SECRET-KEY-1\\w{58}',
  // JSON Web Tokens, signed or encrypted
  'eyJ[\\w-]+(?:\\.{1,2}[\\w-]+){2,}',
  // Private keys, their line breaks as they are, escaped or encoded; one that is cut off ends with its text
  '-----BEGIN[ +%0-9A-Z]{0,40}PRIVATE(?: |\\+|%20)KEY[ +%0-9A-Z]{0,9}-----(?:-{0,4}[^-])*(?:-----END[ +%0-9A-Z]{0,60}-----)?',
];

const REDACTED = '[redacted]';

/**
 * The match asks no pattern, so that it is never undecided: what exceeds the work budget fails closed in the redacts.
 * They run before other transforms could make keys unrecognizable.
 */
export const redactApiKeys: RuleDocument = {
  name: 'Redact API keys',
  description:
    'Strings anywhere in a webhook body that look like API keys, tokens, hook URLs or private keys.',
  stage: 'deliver',
  match: { path: 'data.body', op: 'exists' },
  action: {
    type: 'transform',
    ops: API_KEYS.map((regex): RedactOp => ({
      op: 'redact',
      path: 'data.body',
      regex,
      replace: REDACTED,
      deep: true,
    })),
  },
  priority: 10,
};
