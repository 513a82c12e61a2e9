import { all, any, at } from '../webhooks/leaves.js';
import { bodyOf, holds, numeric, own } from './reading.js';
import type { Event, Tree } from './tree.js';

const countries = ['US', 'DE', 'GB'];
const over = ['cancelled', 'void'];

function byHand(event: Event): boolean {
  const body = event?.data?.body;
  return (
    (body?.event === 'push' &&
      body.sender?.type !== 'Bot' &&
      (body.tags?.includes('bug') === true || body.resource?.startsWith('b') === true)) ||
    (body!.amount! > 5000 &&
      countries.includes(body!.country!) &&
      (body!.email?.endsWith('.io') === true || body!.coupon !== undefined)) ||
    (body?.refund === undefined &&
      !over.includes(body!.status!) &&
      body!.attempt! > 2 &&
      body!.message?.includes('ven') === true)
  );
}

/** Reads each member once, and tests the cheap conditions in the order of the tree. */
function carefully(event: unknown): boolean {
  const body = bodyOf(event);
  return isCode(body) || isSale(body) || isOther(body);
}

function isCode(body: unknown): boolean {
  if (own(body, 'event') !== 'push') return false;
  const sender = own(body, 'sender');
  const type = own(sender, 'type');
  if (type === undefined || type === 'Bot') return false;
  const resource = own(body, 'resource');
  return holds(own(body, 'tags'), 'bug') || (typeof resource === 'string' && resource.startsWith('b'));
}

function isSale(body: unknown): boolean {
  if (!(numeric(own(body, 'amount')) > 5000) || !countries.includes(own(body, 'country') as string)) {
    return false;
  }
  const email = own(body, 'email');
  return (typeof email === 'string' && email.endsWith('.io')) || own(body, 'coupon') !== undefined;
}

function isOther(body: unknown): boolean {
  if (own(body, 'refund') !== undefined) return false;
  const status = own(body, 'status');
  if (status === undefined || over.includes(status as string)) return false;
  return numeric(own(body, 'attempt')) > 2 && holds(own(body, 'message'), 'ven');
}

export const twelveLeaves: Tree = {
  name: 'twelve nested leaves',
  limit: 5,
  match: any(
    all(
      at('event').eq('push'),
      at('sender.type').neq('Bot'),
      any(at('tags').contains('bug'), at('resource').startsWith('b')),
    ),
    all(
      at('amount').gt(5000),
      at('country').in(countries),
      any(at('email').endsWith('.io'), at('coupon').exists()),
    ),
    all(at('refund').missing(), at('status').notIn(over), at('attempt').gt(2), at('message').contains('ven')),
  ),
  byHand,
  carefully,
  mongo: {
    $or: [
      {
        'data.body.event': 'push',
        'data.body.sender.type': { $exists: true, $ne: 'Bot' },
        $or: [{ 'data.body.tags': 'bug' }, { 'data.body.resource': { $regex: /^b/ } }],
      },
      {
        'data.body.amount': { $gt: 5000 },
        'data.body.country': { $in: countries },
        $or: [{ 'data.body.email': { $regex: /\.io$/ } }, { 'data.body.coupon': { $exists: true } }],
      },
      {
        'data.body.refund': { $exists: false },
        'data.body.status': { $exists: true, $nin: over },
        'data.body.attempt': { $gt: 2 },
        'data.body.message': { $regex: /ven/ },
      },
    ],
  },
  jsonLogic: {
    or: [
      {
        and: [
          { '==': [{ var: 'data.body.event' }, 'push'] },
          { '!=': [{ var: 'data.body.sender.type' }, 'Bot'] },
          { '!=': [{ var: 'data.body.sender.type' }, null] },
          {
            or: [
              { in: ['bug', { var: 'data.body.tags' }] },
              { '==': [{ substr: [{ var: 'data.body.resource' }, 0, 1] }, 'b'] },
            ],
          },
        ],
      },
      {
        and: [
          { '>': [{ var: 'data.body.amount' }, 5000] },
          { in: [{ var: 'data.body.country' }, countries] },
          {
            or: [
              { '==': [{ substr: [{ var: 'data.body.email' }, -3] }, '.io'] },
              { '!=': [{ var: 'data.body.coupon' }, null] },
            ],
          },
        ],
      },
      {
        and: [
          { '==': [{ var: 'data.body.refund' }, null] },
          { '!': [{ in: [{ var: 'data.body.status' }, over] }] },
          { '>': [{ var: 'data.body.attempt' }, 2] },
          { in: ['ven', { var: 'data.body.message' }] },
        ],
      },
    ],
  },
  cel: `(data.body.event == "push" && has(data.body.sender.type) && data.body.sender.type != "Bot"
      && ("bug" in data.body.tags || data.body.resource.startsWith("b")))
    || (data.body.amount > 5000.0 && data.body.country in ["US", "DE", "GB"]
      && (data.body.email.endsWith(".io") || has(data.body.coupon)))
    || (!has(data.body.refund) && !(data.body.status in ["cancelled", "void"])
      && data.body.attempt > 2.0 && data.body.message.contains("ven"))`,
  jsonata: `(data.body.event = "push" and data.body.sender.type != "Bot"
      and ("bug" in data.body.tags or $contains(data.body.resource, /^b/)))
    or (data.body.amount > 5000 and data.body.country in ["US", "DE", "GB"]
      and ($contains(data.body.email, /\\.io$/) or $exists(data.body.coupon)))
    or ($not($exists(data.body.refund)) and $not(data.body.status in ["cancelled", "void"])
      and data.body.attempt > 2 and $contains(data.body.message, "ven"))`,
  zen: `(data.body.event == "push" and data.body.sender.type != "Bot"
      and ("bug" in data.body.tags or startsWith(data.body.resource, "b")))
    or (data.body.amount > 5000 and data.body.country in ["US", "DE", "GB"]
      and (endsWith(data.body.email, ".io") or data.body.coupon != null))
    or (data.body.refund == null and data.body.status not in ["cancelled", "void"]
      and data.body.attempt > 2 and contains(data.body.message, "ven"))`,
  conditions: {
    any: [
      {
        all: [
          { fact: 'data', path: '$.body.event', operator: 'equal', value: 'push' },
          { fact: 'data', path: '$.body.sender.type', operator: 'present', value: true },
          { fact: 'data', path: '$.body.sender.type', operator: 'notEqual', value: 'Bot' },
          {
            any: [
              { fact: 'data', path: '$.body.tags', operator: 'contains', value: 'bug' },
              { fact: 'data', path: '$.body.resource', operator: 'startsWith', value: 'b' },
            ],
          },
        ],
      },
      {
        all: [
          { fact: 'data', path: '$.body.amount', operator: 'greaterThan', value: 5000 },
          { fact: 'data', path: '$.body.country', operator: 'in', value: countries },
          {
            any: [
              { fact: 'data', path: '$.body.email', operator: 'endsWith', value: '.io' },
              { fact: 'data', path: '$.body.coupon', operator: 'present', value: true },
            ],
          },
        ],
      },
      {
        all: [
          { fact: 'data', path: '$.body.refund', operator: 'absent', value: true },
          { fact: 'data', path: '$.body.status', operator: 'notIn', value: over },
          { fact: 'data', path: '$.body.attempt', operator: 'greaterThan', value: 2 },
          { fact: 'data', path: '$.body.message', operator: 'holds', value: 'ven' },
        ],
      },
    ],
  },
};
