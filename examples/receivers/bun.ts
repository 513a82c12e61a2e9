/** Bun. */
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const receiver = createOrders(SIGNING_SECRET);

Bun.serve({ port: Number(PORT), routes: { '/hooks': receiver.fetch } });
