/** The body is read before, in SvelteKit. */
import { createOrders } from '../../../../orders.ts';
import { readingBefore } from '../../../../reading.ts';

const receive = readingBefore(createOrders(() => process.env['SIGNING_SECRET'] ?? ''));

export const POST = ({ request }: { readonly request: Request }): Promise<Response> => receive(request);
