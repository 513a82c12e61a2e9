/** Stripe: `Stripe-Signature: t=<timestamp>,v1=<hex>` over `<timestamp>.<body>`. Its event ids stand in the body alone. */
import { timedSource } from './timed-signature.js';

export const stripe = timedSource({
  name: 'stripe',
  brand: 'Stripe',
  headers: ['signature'],
  deliveryId: () => null,
});
