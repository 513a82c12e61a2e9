/** The body is read before, in Nitro. */
import { defineHandler } from 'nitro/h3';
import { createOrders } from '../../orders.ts';
import { readingBefore } from '../../reading.ts';

const receive = readingBefore(createOrders(process.env['SIGNING_SECRET'] ?? ''));

export default defineHandler(({ req }) => receive(req));
