/** Drops webhooks of payment providers that are flagged as not live. */
import type { Match, RuleDocument } from '../rule.js';

const body = (path: string): string => `data.body.${path}`;

/**
 * Each provider by a member that only its webhooks have, and then by its flag: `live` or `mode` alone may mean
 * anything.
 */
const providers: readonly Match[] = [
  // Stripe: events, and events of its second API
  {
    all: [
      { path: body('livemode'), op: 'eq', value: false },
      {
        any: [
          { path: body('object'), op: 'in', value: ['event', 'v2.core.event'] },
          { path: body('id'), op: 'starts_with', value: 'evt_' },
        ],
      },
    ],
  },
  // PayMongo
  {
    all: [
      { path: body('data.type'), op: 'eq', value: 'event' },
      { path: body('data.attributes.livemode'), op: 'eq', value: false },
    ],
  },
  // Adyen: payments, whose flag is text, and platforms
  {
    all: [
      { path: body('live'), op: 'in', value: [false, 'false'] },
      { path: body('notificationItems'), op: 'exists' },
    ],
  },
  {
    all: [
      { path: body('environment'), op: 'eq', value: 'test' },
      {
        any: [
          { path: body('type'), op: 'starts_with', value: 'balancePlatform.' },
          { path: body('data.balancePlatform'), op: 'exists' },
        ],
      },
    ],
  },
  // Mollie: resources, and events that hold one
  {
    all: [
      { path: body('mode'), op: 'eq', value: 'test' },
      {
        path: body('resource'),
        op: 'in',
        value: [
          'payment',
          'payment-link',
          'order',
          'refund',
          'capture',
          'chargeback',
          'subscription',
          'mandate',
          'sales-invoice',
        ],
      },
    ],
  },
  {
    all: [
      { path: body('resource'), op: 'eq', value: 'event' },
      { path: body('_embedded.entity.mode'), op: 'eq', value: 'test' },
    ],
  },
  // Lemon Squeezy
  {
    all: [
      { path: body('meta.event_name'), op: 'exists' },
      {
        any: [
          { path: body('meta.test_mode'), op: 'eq', value: true },
          { path: body('data.attributes.test_mode'), op: 'eq', value: true },
        ],
      },
    ],
  },
  // Shopify
  {
    all: [
      { path: body('test'), op: 'eq', value: true },
      { path: body('admin_graphql_api_id'), op: 'starts_with', value: 'gid://shopify/' },
    ],
  },
  // Paystack
  {
    all: [
      { path: body('data.domain'), op: 'eq', value: 'test' },
      {
        path: body('event'),
        op: 'matches',
        value: '^(?:charge|transfer|refund|subscription|invoice|paymentrequest|dedicatedaccount)\\.',
      },
    ],
  },
  // PayPal and Checkout.com have no flag, but links into their sandboxes
  {
    all: [
      { path: body('event_type'), op: 'exists' },
      { path: body('links.*.href'), op: 'matches', value: '^https://api(?:-m)?\\.sandbox\\.paypal\\.com/' },
    ],
  },
  { path: body('_links.self.href'), op: 'starts_with', value: 'https://api.sandbox.checkout.com/' },
  // Gumroad, whose pings are forms
  {
    all: [
      { path: body('test'), op: 'in', value: [true, 'true'] },
      { path: body('seller_id'), op: 'exists' },
      { path: body('sale_id'), op: 'exists' },
    ],
  },
  // RevenueCat
  {
    all: [
      { path: body('event.environment'), op: 'eq', value: 'SANDBOX' },
      { path: body('event.app_user_id'), op: 'exists' },
    ],
  },
];

/** The starter rule `drop_test_mode_payments`. */
export const dropTestModePayments: RuleDocument = {
  name: 'Drop test-mode payments',
  description: 'Webhooks of a payment provider that are flagged as not live, or that come from its sandbox.',
  stage: 'deliver',
  match: { any: providers },
  action: { type: 'drop' },
  priority: 100,
};
