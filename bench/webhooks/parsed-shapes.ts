/**
 * The shapes of the parsed question. Each rule of a simple shape names a value of its own and each event is made to
 * match one rule, so that exactly one rule matches an event, or as many as the shape says, at any number of rules.
 */
import type { Match } from '../../src/index.js';
import { all, any, at } from './leaves.js';
import { account, domain, organization } from './names.js';
import { type Making, type Shape, shapeNamed } from './shapes.js';
import { EVENTS, LOGIN_TYPES, ONLY_IN_RULES, OPTIONAL, STATUSES } from './vocabulary.js';

/** The most that an event may cost. */
export type Limit =
  | { readonly of: 'parsing'; readonly limit: (matches: number) => number }
  | { readonly of: 'rule'; readonly nanos: number }
  /** The most rules over the fewest. */
  | { readonly of: 'growth'; readonly times: number };

export interface ParsedShape extends Shape {
  /** Events of a pass. */
  readonly events: number;
  readonly sizes: readonly number[];
  readonly limit: Limit;
}

const EVENTS_A_PASS = 2_000;
const SIZES = [1_000, 100_000];
const PATTERN_SIZES = [10, 100, 1_000];

const overParsing = (limit: (matches: number) => number): Limit => ({ of: 'parsing', limit });
const atMost = (times: number): Limit => overParsing(() => times);

/** A quarter of the parsing where one rule matches, and a tenth more for each further one. */
const SIMPLE = overParsing((matches) => 0.25 + 0.1 * Math.max(0, matches - 1));

const simple = (name: string, match: Shape['match']): ParsedShape => ({
  name,
  events: EVENTS_A_PASS,
  sizes: SIZES,
  limit: SIMPLE,
  planted: 1,
  match,
});

/** A shape of the flat question with another limit. */
const flat = (name: string, limit: Limit, as = name): ParsedShape => ({
  ...shapeNamed(name),
  name: as,
  events: EVENTS_A_PASS,
  sizes: SIZES,
  limit,
});

const ownAccount = (nth: number): Match => at('account').eq(account(ONLY_IN_RULES + nth));

/**
 * A number below a pool of values that only rules name, which is so large that besides the rule that an event is made
 * to match, `others` more match it on average.
 *
 * @param valuesOfRule - Values that a rule names.
 */
const shared = ({ random, rules }: Making, valuesOfRule: number, others: number): number =>
  ONLY_IN_RULES + random.int(Math.max(1, Math.round((rules * valuesOfRule) / others)));

export const parsedShapes: readonly ParsedShape[] = [
  simple('eq', (_, nth) => ownAccount(nth)),
  simple('eq and eq', ({ random }, nth) => all(at('event').eq(random.skewed(EVENTS)), ownAccount(nth))),
  simple('eq, neq and eq', ({ random }, nth) =>
    all(
      at('event').eq(random.skewed(EVENTS)),
      at('status').neq(random.skewed(STATUSES)),
      at('sender.type').eq(random.pick(LOGIN_TYPES)),
      ownAccount(nth),
    ),
  ),
  simple('eq and missing', ({ random }, nth) => all(at(random.pick(OPTIONAL)).missing(), ownAccount(nth))),
  simple('eq and gt', ({ random }, nth) => all(at('amount').gt(random.int(20_000)), ownAccount(nth))),
  simple('in', (making) => at('account').in(making.random.times(10, () => account(shared(making, 10, 4))))),
  simple('starts_with', (_, nth) => at('resource').startsWith(organization(ONLY_IN_RULES + nth))),
  simple('ends_with', (making) => at('email').endsWith(domain(shared(making, 1, 3.6)))),
  flat('distinct paths', SIMPLE),
  simple('deep', deep),
  flat('range', atMost(0.35)),
  flat('contains', atMost(0.5)),
  flat('matches', atMost(0.5)),
  flat('any of eq, ends_with, range', atMost(0.5), 'any of three'),
  flat('trees four deep', atMost(1.5)),
  // Fewer events, since each costs milliseconds.
  { ...flat('neq, nearly all match', { of: 'rule', nanos: 30 }), events: 100 },
  {
    name: 'patterns on one path',
    events: EVENTS_A_PASS,
    sizes: PATTERN_SIZES,
    limit: { of: 'growth', times: 4 },
    planted: 0.5,
    match: ({ random, patterns }) => at('message').matches(patterns.wide(random)),
  },
];

/** Four levels, with two values that few events have. */
function deep({ random }: Making, nth: number): Match {
  return all(
    at('livemode').eq(true),
    any(
      all(
        ownAccount(nth),
        any(at('status').neq(random.skewed(STATUSES)), all(at('attempt').gte(2), at('amount').gt(1_000))),
      ),
      all(
        at('resource').startsWith(organization(ONLY_IN_RULES + nth)),
        any(at('event').in([random.skewed(EVENTS), random.skewed(EVENTS)]), at('tags').contains('vip')),
      ),
    ),
  );
}

export function parsedShapeNamed(name: string): ParsedShape {
  const shape = parsedShapes.find((shape) => shape.name === name);
  if (shape === undefined) {
    throw new Error(`no shape ${name}; there are ${parsedShapes.map(({ name }) => name).join(', ')}`);
  }
  return shape;
}
