/** Events of about 1 KB, such as a service sees that takes in webhooks of many providers. */
import type { Event } from '../../src/index.js';
import { word } from './names.js';
import type { Random } from './random.js';
import * as all from './vocabulary.js';
import { draw, prose } from './vocabulary.js';

/** JSON that may be changed until it is an event. */
export type Draft = Record<string, unknown>;

/** An event nobody has planted anything in: it meets a rule by chance only. */
export function webhook(random: Random, nth: number): Draft {
  return {
    id: `evt_${String(nth).padStart(26, '0')}`,
    type: 'webhook.received',
    channel: { type: 'webhook' },
    received_at: draw.instant(random),
    data: { body: body(random, nth) },
  };
}

function body(random: Random, nth: number): Draft {
  const event = random.skewed(all.EVENTS);
  const organization = draw.organization(random);
  return {
    id: 700_000_000 + nth,
    event,
    object: 'event',
    livemode: !random.chance(0.02),
    api_version: '2026-09-30',
    account: draw.account(random),
    created_at: draw.instant(random),
    resource: `${organization}${word(random.int(1_000))}/${random.int(9_000)}`,
    reference: `ord-${draw.orderNumber(random)}-${word(random.int(100))}`,
    status: random.skewed(all.STATUSES),
    amount: draw.amount(random),
    score: random.int(1e8) / 100,
    currency: random.skewed(all.CURRENCIES),
    country: random.skewed(all.COUNTRIES),
    attempt: 1 + random.rank(5, 2),
    ...providerPart(event, random),
    email: word(random.int(9_000)) + draw.domain(random),
    sender: { login: word(random.int(50_000)), type: random.pick(all.LOGIN_TYPES), id: random.int(1e8) },
    message: prose(random, 16),
    tags: random.times(random.int(4), () => random.skewed(all.TAGS)),
    ...Object.fromEntries(random.times(random.int(4), () => [random.pick(all.OPTIONAL), random.int(1_000)])),
    metadata: {
      team: draw.team(random),
      region: random.skewed(['eu', 'us', 'ap', 'sa']),
      [`k${random.int(10_000)}`]: draw.word(random),
    },
  };
}

/** The members that only code hosts, only payment providers or only shops send. */
function providerPart(event: string, random: Random): Draft {
  if (event.includes('/')) {
    return { order: order(random), gateway: 'card', taxes_included: random.chance(0.5) };
  }
  return event.includes('.') && /^(?:c|i|pay|radar)/.test(event)
    ? { charge: charge(random), paid: true, captured: true }
    : { pull_request: pullRequest(random), forks: random.int(100), private: random.chance(0.5) };
}

const order = (random: Random): Draft => ({
  number: random.int(1e6),
  line_items: random.times(1 + random.int(2), () => ({
    sku: draw.sku(random),
    quantity: 1 + random.int(3),
    price: draw.amount(random),
  })),
  discount_codes: random.chance(0.2) ? ['WELCOME'] : null,
  shipping: { city: draw.word(random), zip: String(10_000 + random.int(80_000)) },
});

const charge = (random: Random): Draft => ({
  outcome: { risk_score: random.int(100), network_status: 'approved_by_network' },
  card: { brand: random.skewed(['visa', 'mastercard', 'amex']), last4: String(1_000 + random.int(9_000)) },
  payment_intent: `pi_${random.int(1e9).toString(36)}`,
  refunded: random.chance(0.05),
});

const pullRequest = (random: Random): Draft => ({
  number: random.int(9_000),
  title: prose(random, 5),
  draft: random.chance(0.1),
  head: { ref: `${draw.word(random)}-${random.int(900)}`, sha: scatteredHex(random) },
  base: { ref: random.skewed(all.BRANCHES), sha: scatteredHex(random) },
});

const scatteredHex = (random: Random): string =>
  random.times(3, () => random.int(2 ** 32).toString(16)).join('');

/** The texts of events; `plant` puts what a rule looks for into a part of them. */
export function eventTexts(
  random: Random,
  count: number,
  plant: (event: Draft, nth: number) => void,
): string[] {
  return random.times(count, (nth) => {
    const event = webhook(random, nth);
    plant(event, nth);
    return JSON.stringify(event);
  });
}

export const parseEvent = (text: string): Event => JSON.parse(text) as Event;
