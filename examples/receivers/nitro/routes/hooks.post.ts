/** Nitro 3. */
import { defineHandler } from 'nitro/h3';
import { createOrders } from '../../orders.ts';

const receiver = createOrders(process.env['SIGNING_SECRET'] ?? '');

export default defineHandler(({ req }) => receiver.fetch(req));
