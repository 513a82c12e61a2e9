/** Next.js, app router. The build loads this module too, and has no secret: a function looks it up for each request. */
import { createOrders } from '../../../orders.ts';

const receiver = createOrders(() => process.env['SIGNING_SECRET'] ?? '');

export const POST = receiver.fetch;
