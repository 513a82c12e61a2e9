/** The body is read before, in a route of Next.js. */
import { createOrders } from '../../../orders.ts';
import { readingBefore } from '../../../reading.ts';

export const POST = readingBefore(createOrders(() => process.env['SIGNING_SECRET'] ?? ''));
