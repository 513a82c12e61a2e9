/** Astro. */
import type { APIRoute } from 'astro';
import { createOrders } from '../../../orders.ts';

const receiver = createOrders(() => process.env['SIGNING_SECRET'] ?? '');

export const prerender = false;
export const POST: APIRoute = ({ request }) => receiver.fetch(request);
