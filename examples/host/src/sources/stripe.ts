/** Stripe: `Stripe-Signature: t=<timestamp>,v1=<hex>` over `<timestamp>.<body>`. The event id is in the body. */
import { idInBody } from './delivery-id.js';
import { timedSource } from './timed-signature.js';

export const stripe = timedSource({
  name: 'stripe',
  brand: 'Stripe',
  headers: ['signature'],
  deliveryId: idInBody('id'),
});
