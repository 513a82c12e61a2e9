/** The body is read before, on Bun. */
import { createOrders } from '../../orders.ts';
import { readingBefore } from './reading.ts';

const { SIGNING_SECRET = '', PORT } = process.env;

Bun.serve({ port: Number(PORT), routes: { '/hooks': readingBefore(createOrders(SIGNING_SECRET)) } });
