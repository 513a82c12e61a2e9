/** Deno. */
import { createOrders } from './orders.ts';

const receiver = createOrders(Deno.env.get('SIGNING_SECRET') ?? '');

Deno.serve({ port: Number(Deno.env.get('PORT') ?? 8080) }, receiver.fetch);
