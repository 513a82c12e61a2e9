/** Patterns that people write about webhooks of GitHub, Stripe and Slack, and the paths they write them for. */

/** Patterns for a text that somebody wrote. */
export const textPatterns: readonly string[] = [
  '(?i)\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\\s+#\\d+',
  '@[\\w-]+',
  '(?i)\\b(?:urgent|asap|p0|sev[- ]?1|outage)\\b',
  'https?://[^\\s)]+',
  '[\\w.+-]+@[\\w-]+\\.[\\w.-]+',
  '\\b(?:\\d{1,3}\\.){3}\\d{1,3}\\b',
  '(?m)^/(?:deploy|retest|merge|lgtm)\\b',
  '\\+1|:\\+1:|👍',
  '\\b[0-9a-f]{40}\\b',
  '\\b\\d{3}-\\d{2}-\\d{4}\\b',
  '\\b(?:\\d[ -]?){12,15}\\d\\b',
  '\\b[A-Z]{2}\\d{2}(?: ?[0-9A-Z]{4}){3,7}\\b',
  '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}',
  '(?i)stack ?trace|exception|panic:|segfault',
  '\\+?\\d{1,3}[ -]?\\(?\\d{3}\\)?[ -]?\\d{3}[ -]?\\d{4}',
  '\\b[A-Z][A-Z0-9]{1,9}-\\d+\\b',
  '(?i)\\b(?:security|vulnerab\\w+|cve-\\d{4}-\\d{4,})\\b',
  '\\bv?\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?\\b',
  '\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2})?',
  '[^\\x00-\\x7F]',
  '^\\s*$',
  '^[A-Z][^.!?]*[.!?]$',
  '(?i)^(?:bump|update|upgrade) \\S+ from [\\d.]+ to [\\d.]+',
  '^(?:feat|fix|docs|chore|refactor|test|perf|ci|build|style|revert)(?:\\([\\w./-]+\\))?!?: ',
  '(?i)\\b(?:wip|draft|do not merge)\\b',
  '[A-Za-z0-9+/]{40,}={0,2}',
  '(?i)password|passwd|secret',
  '-----BEGIN [A-Z ]*PRIVATE KEY-----',
];

type Row = readonly [path: string, ...patterns: readonly string[]];

const SHA = '^[0-9a-f]{40}$';
const COMMIT = '^(?:feat|fix|docs|chore|refactor|test|perf|ci|build|style|revert)(?:\\([\\w./-]+\\))?!?: ';

/** Paths of all kinds, with patterns for their values. */
export const fieldPatterns: readonly Row[] = [
  [
    'ref',
    '^refs/heads/(?:main|master|release/.+)$',
    '^refs/tags/v\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?$',
    '^refs/heads/(?:feature|hotfix)/',
  ],
  ['sender.login', '\\[bot\\]$', '^(?:dependabot|renovate|github-actions)\\b', '(?i)^(?:ci|deploy)[-_]'],
  ['repository.full_name', '^Codertocat/', '(?i)/(?:infra|ops|deploy)[-_\\w]*$', '^octo-org/[a-z-]+$'],
  ['action', '^(?:opened|reopened|synchronize)$', '^(?:un)?labeled$', '_requested?$'],
  ['pull_request.title', COMMIT, '(?i)\\b(?:wip|draft|do not merge)\\b', '\\b[A-Z][A-Z0-9]{1,9}-\\d+\\b'],
  ['pull_request.head.ref', '^(?:dependabot|renovate)/', '^[a-z]+/[A-Z]+-\\d+', '^release/\\d{4}\\.\\d+$'],
  ['pull_request.html_url', '^https://github\\.com/[^/]+/[^/]+/pull/\\d+$'],
  ['issue.title', '(?i)crash|hang|freeze', '^\\[[A-Z]+\\]', '(?i)\\?$'],
  ['issue.body', '(?i)steps to reproduce', '(?m)^#+ ', '```[a-z]*\\n'],
  ['comment.body', '(?i)\\blgtm\\b', '(?m)^/[a-z]+', '@[\\w-]+'],
  ['commits.*.message', COMMIT, '(?i)\\bhotfix\\b', '\\[(?:skip ci|ci skip)\\]'],
  ['commits.*.modified.*', '\\.(?:tf|ya?ml)$', '^\\.github/workflows/', '(?:^|/)package(?:-lock)?\\.json$'],
  ['head_commit.id', SHA],
  ['after', '^0{40}$', SHA],
  ['release.tag_name', '^v?\\d+\\.\\d+\\.\\d+$', '-(?:alpha|beta|rc)\\.?\\d*$'],
  ['workflow_run.name', '(?i)^deploy', '(?i)nightly|scheduled'],
  ['deployment.environment', '(?i)^prod', '^(?:staging|qa)\\d*$'],
  [
    'type',
    '^(?:charge|payment_intent|invoice)\\.(?:failed|payment_failed)$',
    '^customer\\.subscription\\.',
    '\\.(?:created|succeeded)$',
  ],
  ['id', '^evt_[0-9A-Za-z]{16,}$'],
  ['data.object.billing_details.email', '@(?:example|test)\\.(?:com|org)$', '^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$'],
  ['event.text', '<!(?:channel|here|everyone)', '(?i)\\bdeploy(?:ed|ing)?\\b', '<@U[0-9A-Z]+>'],
  ['event.channel', '^C[0-9A-Z]{8,}$'],
];

/** Redactions of personal data and tokens, besides API keys. */
export const redactions: readonly (readonly [regex: string, replace: string])[] = [
  ['[\\w.+-]+@[\\w-]+\\.[\\w.-]+', '[email]'],
  ['\\b(?:\\d[ -]?){12,15}\\d\\b', '[card]'],
  ['\\b[A-Z]{2}\\d{2}(?: ?[0-9A-Z]{4}){3,7}\\b', '[iban]'],
  ['\\b\\d{3}-\\d{2}-\\d{4}\\b', '[ssn]'],
  ['\\b(?:\\d{1,3}\\.){3}\\d{1,3}\\b', '[ip]'],
  ['(?i)bearer [\\w.~+/-]+=*', 'Bearer [token]'],
];
