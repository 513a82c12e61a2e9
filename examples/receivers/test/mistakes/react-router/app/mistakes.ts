/** The body is read before, in React Router. */
import { createOrders } from '../../orders.ts';
import { readingBefore } from '../../reading.ts';

const receive = readingBefore(createOrders(process.env['SIGNING_SECRET'] ?? ''));

export const action = ({ request }: { readonly request: Request }): Promise<Response> => receive(request);
