/** The function for node:http is mounted in Hono. */
import { serve } from '@hono/node-server';
import { type Handler, Hono } from 'hono';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const app = new Hono();

// The compiler refuses this without the cast; plain JavaScript does not.
app.post('/hooks', createOrders(SIGNING_SECRET).node as unknown as Handler);
serve({ fetch: app.fetch, port: Number(PORT) });
