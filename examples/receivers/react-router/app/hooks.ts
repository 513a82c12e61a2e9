/** React Router, which was Remix: a route with nothing but an action. */
import { createOrders } from '../../orders.ts';

const receiver = createOrders(process.env['SIGNING_SECRET'] ?? '');

export const action = ({ request }: { readonly request: Request }): Promise<Response> =>
  receiver.fetch(request);
