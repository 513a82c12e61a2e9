/** The parser of the pages router is on. */
import { createOrders } from '../../../orders.ts';

export default createOrders(() => process.env['SIGNING_SECRET'] ?? '').node;
