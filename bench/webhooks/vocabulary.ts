/** The vocabulary of generated webhooks of code hosts, payment providers and shops; the frequent come first. */
import { account, domain, orderNumber, organization, sku, word } from './names.js';
import type { Random } from './random.js';

export const EVENTS = [
  ...['push', 'pull_request.opened', 'pull_request.synchronize', 'issues.opened', 'check_run.completed'],
  ...['charge.succeeded', 'invoice.paid', 'payment_intent.succeeded', 'orders/create', 'orders/updated'],
  ...[
    'pull_request.closed',
    'issue_comment.created',
    'workflow_run.completed',
    'orders/paid',
    'release.published',
  ],
  ...[
    'customer.updated',
    'charge.refunded',
    'customer.subscription.updated',
    'products/update',
    'star.created',
  ],
  ...['charge.failed', 'invoice.payment_failed', 'orders/fulfilled', 'carts/update', 'deployment.created'],
  ...['charge.dispute.created', 'orders/cancelled', 'checkouts/create', 'refunds/create', 'payout.paid'],
  ...[
    'pull_request_review.submitted',
    'branch.deleted',
    'customer.deleted',
    'inventory/update',
    'app/uninstalled',
  ],
  ...[
    'charge.dispute.closed',
    'radar.early_fraud_warning.created',
    'security_advisory.published',
    'payout.failed',
  ],
];
export const CURRENCIES = 'usd eur gbp cad aud jpy chf sek nok dkk pln brl inr mxn'.split(' ');
export const COUNTRIES =
  'US DE GB FR CA AU NL ES IT SE BR IN JP MX CH PL NO DK BE AT IE PT FI CZ NZ SG ZA KR'.split(' ');
export const STATUSES = 'succeeded pending open closed paid failed cancelled void'.split(' ');
export const BRANCHES = 'main develop release master staging'.split(' ');
export const TAGS = 'bug vip wholesale urgent gift internal enhancement returning b2b docs preorder'.split(
  ' ',
);
export const LOGIN_TYPES = ['User', 'User', 'User', 'Organization', 'Bot'];
/** Members that only some events have. */
export const OPTIONAL = [
  ...[
    'refund',
    'dispute',
    'coupon',
    'discount',
    'shipping',
    'tax_id',
    'parent',
    'milestone',
    'assignee',
    'source',
  ],
  ...['cancel_reason', 'failure_code', 'trial_end', 'transfer', 'review', 'mandate', 'installment', 'pickup'],
  ...['gift_note', 'statement', 'channel_id', 'deleted_at', 'merged_at', 'closed_at', 'locked', 'archived'],
];

/** How uneven the use of the many values is; that of the few goes by the inverse of the rank. */
const SKEW = 0.6;
const MANY = 200_000;
/** Numbers beyond these name what only rules name, so that no event meets it by chance. */
export const ONLY_IN_RULES = 10_000_000;

/** Values as both events and rules meet them: a few are everywhere, most are rare. */
export const draw = {
  account: (random: Random): string => account(random.rank(MANY, SKEW)),
  organization: (random: Random): string => organization(random.rank(MANY, SKEW)),
  domain: (random: Random): string => domain(random.rank(MANY, SKEW)),
  sku: (random: Random): string => sku(random.rank(MANY, SKEW)),
  orderNumber: (random: Random): number => orderNumber(random.rank(MANY, SKEW)),
  /** A word of a text that somebody wrote. */
  word: (random: Random): string => word(random.rank(5_000, 1)),
  /** Two words of a text, the common as likely as the rare. */
  phrase: (random: Random): string => `${word(random.int(5_000))} ${word(random.int(5_000))}`,
  team: (random: Random): string => `team-${word(random.rank(2_000, SKEW))}`,
  /** In cents: most are small. */
  amount: (random: Random): number => Math.ceil(random.exponential(8_000)),
  instant: (random: Random): string =>
    new Date(1_767_225_600_000 + random.int(300 * 86_400) * 1_000).toISOString(),
};

/** Words with a space between. */
export const prose = (random: Random, words: number): string =>
  random.times(words, () => draw.word(random)).join(' ');
