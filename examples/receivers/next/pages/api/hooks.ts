/** Next.js, pages router: without `config`, its parser takes the body. */
import { createOrders } from '../../../orders.ts';

const receiver = createOrders(() => process.env['SIGNING_SECRET'] ?? '');

export const config = { api: { bodyParser: false } };
export default receiver.node;
