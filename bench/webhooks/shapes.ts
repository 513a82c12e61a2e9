/** The shapes of rules that the benches ask about. */
import type { Action, Match } from '../../src/index.js';
import { all, any, at } from './leaves.js';
import { account, domain, orderNumber, organization, sku, word } from './names.js';
import type { Patterns } from './patterns.js';
import { scatter, type Random } from './random.js';
import { anyAction, tagOnly } from './rules.js';
import { tree } from './trees.js';
import { COUNTRIES, draw, EVENTS, LOGIN_TYPES, ONLY_IN_RULES, OPTIONAL, STATUSES } from './vocabulary.js';

/** The input from which a shape makes its trees. */
export interface Making {
  readonly random: Random;
  /** How many rules there will be: rare values are about as many, so that an event hits as many rules at any size. */
  readonly rules: number;
  readonly patterns: Patterns;
}

export interface Shape {
  readonly name: string;
  /** Share of the events that are made to match a rule; the others match by chance. */
  readonly planted: number;
  readonly match: (making: Making, nth: number) => Match;
  readonly action?: (random: Random) => Action;
}

/** A shape of the flat question. */
export interface LimitedShape extends Shape {
  /** The most that an event may cost with 100,000 rules, over JSON.parse; null where each rule costs. */
  readonly limit: number | null;
  /** Tries every rule, for comparison; nothing was promised of it. */
  readonly plainly?: true;
}

/** A value that only rules name; some rules share it with another. */
const rare = ({ random, rules }: Making): number => ONLY_IN_RULES + random.int(Math.ceil(rules * 0.7));

const rareAccount = (making: Making): Match => at('account').eq(account(rare(making)));

/** A range on a scale where an event stands in 0.35 of them on average. */
function range({ random, rules }: Making): Match {
  const scale = 1_000_000;
  const low = random.next() * scale;
  const high = low + random.exponential((scale * 0.35) / rules);
  return all(at('score').gte(low), at('score').lt(high));
}

function distinctPath({ random }: Making, nth: number): Match {
  const name = `${word(nth)}_${nth}`;
  const path = random.chance(0.5) ? `metadata.${name}` : `custom.${word(scatter(nth) % 50)}.${name}`;
  return at(path).eq(random.int(5));
}

function needle({ random }: Making): string {
  return random.chance(0.6)
    ? draw.phrase(random)
    : `${word(random.int(5_000)).slice(0, 4)}-${random.int(100_000)}`;
}

/** Leaves that hold on no event, for they name what every event has; one in ten thousand names something else. */
function unusual({ random }: Making): Match {
  if (random.chance(1e-4)) return at('object').neq('invoice');
  return random.chance(0.5) ? at('object').neq('event') : at('api_version').neq('2026-09-30');
}

const HALF = 0.5;
/** Ranges meet events by chance, so that half of them match in all. */
const FEWER = 0.3;

export const shapes: readonly LimitedShape[] = [
  { name: 'eq', limit: 0.12, planted: HALF, match: rareAccount },
  {
    name: 'eq and eq',
    limit: 0.12,
    planted: HALF,
    match: (making) => all(at('event').eq(making.random.skewed(EVENTS)), rareAccount(making)),
  },
  {
    name: 'eq and neq',
    limit: 0.12,
    planted: HALF,
    match: (making) => all(rareAccount(making), at('status').neq(making.random.skewed(STATUSES))),
  },
  {
    name: 'eq and missing',
    limit: 0.12,
    planted: HALF,
    match: (making) => all(at(making.random.pick(OPTIONAL)).missing(), rareAccount(making)),
  },
  {
    name: 'eq and gt',
    limit: 0.12,
    planted: HALF,
    match: (making) => all(at('amount').gt(draw.amount(making.random)), rareAccount(making)),
  },
  {
    name: 'in',
    limit: 0.12,
    planted: HALF,
    match: ({ random, rules, ...rest }) =>
      at('account').in(random.times(10, () => account(rare({ random, rules: rules * 10, ...rest })))),
  },
  {
    name: 'starts_with',
    limit: 0.12,
    planted: HALF,
    match: (making) =>
      at('resource').startsWith(
        organization(rare(making)) + (making.random.chance(0.3) ? word(making.random.int(9)) : ''),
      ),
  },
  {
    name: 'ends_with',
    limit: 0.12,
    planted: HALF,
    match: (making) => {
      const text = domain(rare(making));
      return at('email').endsWith(making.random.chance(0.3) ? text.replace(/^@(?:mail\.|eu\.)?/, '') : text);
    },
  },
  {
    name: 'any line item',
    limit: 0.12,
    planted: HALF,
    match: (making) => at('order.line_items.*.sku').eq(sku(rare(making))),
  },
  { name: 'distinct paths', limit: 0.12, planted: HALF, match: distinctPath },
  { name: 'range', limit: 0.25, planted: FEWER, match: range },
  { name: 'contains', limit: 1, planted: HALF, match: (making) => at('message').contains(needle(making)) },
  {
    name: 'matches',
    limit: 1,
    planted: HALF,
    match: (making) =>
      making.random.chance(0.5)
        ? at('reference').matches(making.patterns.reference(making.random, orderNumber(rare(making))))
        : at('message').matches(making.patterns.failure(making.random)),
  },
  {
    name: 'any of eq, ends_with, range',
    limit: 1,
    planted: FEWER,
    match: (making) => any(rareAccount(making), at('email').endsWith(domain(rare(making))), range(making)),
  },
  {
    name: 'trees four deep',
    limit: 1,
    planted: HALF,
    match: ({ random, patterns }) => tree(random, patterns),
  },
  {
    name: 'neq, few match',
    limit: null,
    planted: 0,
    match: unusual,
    action: tagOnly,
  },
  {
    name: 'neq, nearly all match',
    limit: null,
    planted: 0,
    match: (making) =>
      making.random.chance(0.9)
        ? at('account').neq(account(rare(making)))
        : making.random.chance(0.5)
          ? at('country').neq(making.random.skewed(COUNTRIES))
          : at('sender.type').neq(making.random.pick(LOGIN_TYPES)),
    action: tagOnly,
  },
  { name: 'eq, without the index', limit: null, planted: HALF, match: rareAccount, plainly: true },
];

export const actionOf = (shape: Shape): ((random: Random) => Action) => shape.action ?? anyAction;

export function shapeNamed(name: string): LimitedShape {
  const shape = shapes.find((shape) => shape.name === name);
  if (shape === undefined) {
    throw new Error(`no shape ${name}; there are ${shapes.map(({ name }) => name).join(', ')}`);
  }
  return shape;
}
