import { all, at } from '../webhooks/leaves.js';
import { bodyOf, numeric, own } from './reading.js';
import type { Event, Tree } from './tree.js';

const currencies = ['usd', 'eur', 'gbp'];

function byHand(event: Event): boolean {
  const body = event?.data?.body;
  return (
    body?.livemode === true &&
    currencies.includes(body.currency!) &&
    body.amount! >= 2000 &&
    body.email?.endsWith('.com') === true
  );
}

function carefully(event: unknown): boolean {
  const body = bodyOf(event);
  const email = own(body, 'email');
  return (
    own(body, 'livemode') === true &&
    currencies.includes(own(body, 'currency') as string) &&
    numeric(own(body, 'amount')) >= 2000 &&
    typeof email === 'string' &&
    email.endsWith('.com')
  );
}

export const fourLeaves: Tree = {
  name: 'four leaves',
  limit: 3.5,
  match: all(
    at('livemode').eq(true),
    at('currency').in(currencies),
    at('amount').gte(2000),
    at('email').endsWith('.com'),
  ),
  byHand,
  carefully,
  mongo: {
    'data.body.livemode': true,
    'data.body.currency': { $in: currencies },
    'data.body.amount': { $gte: 2000 },
    'data.body.email': { $regex: /\.com$/ },
  },
  jsonLogic: {
    and: [
      { '==': [{ var: 'data.body.livemode' }, true] },
      { in: [{ var: 'data.body.currency' }, currencies] },
      { '>=': [{ var: 'data.body.amount' }, 2000] },
      { '==': [{ substr: [{ var: 'data.body.email' }, -4] }, '.com'] },
    ],
  },
  cel: `data.body.livemode == true && data.body.currency in ["usd", "eur", "gbp"]
    && data.body.amount >= 2000.0 && data.body.email.endsWith(".com")`,
  jsonata: `data.body.livemode = true and data.body.currency in ["usd", "eur", "gbp"]
    and data.body.amount >= 2000 and $contains(data.body.email, /\\.com$/)`,
  zen: `data.body.livemode == true and data.body.currency in ["usd", "eur", "gbp"]
    and data.body.amount >= 2000 and endsWith(data.body.email, ".com")`,
  conditions: {
    all: [
      { fact: 'data', path: '$.body.livemode', operator: 'equal', value: true },
      { fact: 'data', path: '$.body.currency', operator: 'in', value: currencies },
      { fact: 'data', path: '$.body.amount', operator: 'greaterThanInclusive', value: 2000 },
      { fact: 'data', path: '$.body.email', operator: 'endsWith', value: '.com' },
    ],
  },
};
