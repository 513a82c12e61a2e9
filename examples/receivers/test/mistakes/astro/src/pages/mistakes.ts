/** The body is read before, in Astro. */
import type { APIRoute } from 'astro';
import { createOrders } from '../../../orders.ts';
import { readingBefore } from '../../../reading.ts';

const receive = readingBefore(createOrders(() => process.env['SIGNING_SECRET'] ?? ''));

export const prerender = false;
export const POST: APIRoute = ({ request }) => receive(request);
