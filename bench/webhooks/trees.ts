/**
 * Trees four deep, as people write them for the webhooks of code hosts, payment providers and shops. Each has something
 * that few events meet, but where in the tree it stands, and under which operator, differs.
 */
import type { Match } from '../../src/index.js';
import { all, any, at } from './leaves.js';
import type { Patterns } from './patterns.js';
import type { Random } from './random.js';
import {
  BRANCHES,
  COUNTRIES,
  CURRENCIES,
  draw,
  EVENTS,
  LOGIN_TYPES,
  OPTIONAL,
  STATUSES,
  TAGS,
} from './vocabulary.js';

type Template = (random: Random, patterns: Patterns) => Match;

const some = <T>(random: Random, count: number, list: readonly T[]): T[] => [
  ...new Set(random.times(count, () => random.skewed(list))),
];
const familyOf = (event: string): string => event.split(/[./]/)[0]!;
const codeEvents = EVENTS.filter((event) => /^(?:pull|push|issue|release|branch|workflow)/.test(event));
const paymentEvents = EVENTS.filter((event) => /^(?:charge|invoice|payment|payout)/.test(event));
const shopEvents = EVENTS.filter((event) => event.includes('/'));

const review: Template = (random, patterns) =>
  all(
    at('event').startsWith('pull_request'),
    at('sender.type').neq('Bot'),
    any(
      all(
        at('resource').startsWith(draw.organization(random)),
        any(
          all(at('pull_request.base.ref').eq(random.skewed(BRANCHES)), at('pull_request.draft').neq(true)),
          at('tags').contains(random.skewed(TAGS)),
        ),
      ),
      all(at('account').eq(draw.account(random)), at('pull_request.title').matches(patterns.failure(random))),
    ),
  );

const pushes: Template = (random) =>
  all(
    at('event').in(some(random, 3, codeEvents)),
    at('resource').startsWith(draw.organization(random)),
    any(
      at('sender.login').endsWith('[bot]'),
      all(
        at('message').notMatches('^(?:wip|chore)'),
        any(at('message').contains(draw.word(random)), at('pull_request.head.ref').exists()),
      ),
    ),
  );

const payments: Template = (random) =>
  all(
    at('event').startsWith(`${familyOf(random.skewed(paymentEvents))}.`),
    at('account').eq(draw.account(random)),
    any(
      at('amount').gte(draw.amount(random)),
      all(
        at('currency').eq(random.skewed(CURRENCIES)),
        any(
          at('country').notIn(some(random, 4, COUNTRIES)),
          at('charge.outcome.risk_score').gt(random.int(100)),
        ),
      ),
    ),
  );

const importantCustomers: Template = (random) =>
  any(
    all(at('account').eq(draw.account(random)), any(at('livemode').eq(true), at('tags').contains('vip'))),
    all(
      at('email').endsWith(draw.domain(random)),
      at('amount').lt(draw.amount(random) * 3),
      any(at('status').eq(random.skewed(STATUSES)), all(at('attempt').gt(1), at('livemode').eq(true))),
    ),
    all(
      at('order.line_items.0.sku').eq(draw.sku(random)),
      any(at('order.line_items.0.quantity').gte(2), at('order.discount_codes').neq(null)),
    ),
  );

const references: Template = (random, patterns) =>
  all(
    at('reference').matches(patterns.reference(random, draw.orderNumber(random))),
    any(
      at('status').eq(random.skewed(STATUSES)),
      all(
        at(random.pick(OPTIONAL)).missing(),
        any(at('amount').gt(draw.amount(random)), at('country').in(some(random, 5, COUNTRIES))),
      ),
    ),
  );

const mentions: Template = (random) =>
  all(
    at('message').contains(draw.phrase(random)),
    at('tags').notContains('internal'),
    any(
      at('livemode').eq(true),
      all(
        at('metadata.team').exists(),
        any(at('metadata.team').eq(draw.team(random)), at('metadata.region').in(['eu', 'us'])),
      ),
    ),
  );

const bands: Template = (random) => {
  const low = draw.amount(random);
  return all(
    at('amount').gte(low),
    at('amount').lt(low + 500),
    at('currency').eq(random.skewed(CURRENCIES)),
    any(
      at('account').in(random.times(5, () => draw.account(random))),
      all(
        at('email').endsWith(draw.domain(random)),
        any(at('country').eq(random.skewed(COUNTRIES)), at('status').neq('void')),
      ),
    ),
  );
};

const stock: Template = (random) =>
  all(
    at('order.line_items.0.sku').in(random.times(8, () => draw.sku(random))),
    any(
      all(
        at('country').in(some(random, 3, COUNTRIES)),
        any(at('amount').lte(draw.amount(random)), at('order.discount_codes.0').exists()),
      ),
      at('status').notIn(['cancelled', 'void']),
    ),
  );

/** Nothing in it is rare alone; together they are. */
const teams: Template = (random) =>
  all(
    at('event').eq(random.skewed(EVENTS)),
    at('country').eq(random.skewed(COUNTRIES)),
    at('metadata.team').eq(draw.team(random)),
    any(at('created_at').gte(draw.instant(random)), all(at('amount').gt(20_000), at('livemode').eq(true))),
  );

const eitherOfTwo: Template = (random) =>
  any(
    any(
      all(at('account').eq(draw.account(random)), at('status').neq('void')),
      all(
        at('account').eq(draw.account(random)),
        any(at(random.pick(OPTIONAL)).exists(), at('event').eq(random.skewed(shopEvents))),
      ),
    ),
    all(
      at('resource').startsWith(draw.organization(random)),
      at('event').eq(random.skewed(codeEvents)),
      at('sender.type').eq(random.pick(LOGIN_TYPES)),
    ),
  );

const failures: Template = (random, patterns) =>
  all(
    at('livemode').eq(true),
    any(
      all(at('message').matches(patterns.failure(random)), at('attempt').gte(1)),
      all(
        at('email').endsWith(draw.domain(random)),
        any(at('attempt').gt(3), all(at('status').eq('failed'), at('amount').gt(5_000))),
      ),
    ),
  );

const templates = [
  ...[review, pushes, payments, importantCustomers, references, mentions, bands, stock, teams],
  ...[eitherOfTwo, failures],
];

/** One of the templates, filled in. */
export const tree = (random: Random, patterns: Patterns): Match => random.pick(templates)(random, patterns);
