/** Cloudflare Workers, with and without Node compatibility. */
import { env } from 'cloudflare:workers';
import { createOrders } from './orders.ts';

const receiver = createOrders(env.SIGNING_SECRET);

export default { fetch: receiver.fetch };
