/** SvelteKit. */
import { env } from '$env/dynamic/private';
import { createOrders } from '../../../../orders.ts';

const receiver = createOrders(() => env.SIGNING_SECRET ?? '');

export const POST = ({ request }: { readonly request: Request }): Promise<Response> =>
  receiver.fetch(request);
