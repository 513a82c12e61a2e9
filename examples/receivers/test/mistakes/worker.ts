/** The body is read before, in a Worker. */
import { env } from 'cloudflare:workers';
import { createOrders } from '../../orders.ts';
import { readingBefore } from './reading.ts';

export default { fetch: readingBefore(createOrders(env.SIGNING_SECRET)) };
