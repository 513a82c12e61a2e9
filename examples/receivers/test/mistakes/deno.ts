/** The body is read before, on Deno. */
import { createOrders } from '../../orders.ts';
import { readingBefore } from './reading.ts';

const receiver = createOrders(Deno.env.get('SIGNING_SECRET') ?? '');

Deno.serve({ port: Number(Deno.env.get('PORT')) }, readingBefore(receiver));
