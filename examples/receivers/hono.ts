/** Hono, here on Node. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = new Hono();

app.post('/hooks', (c) => receiver.fetch(c.req.raw));
serve({ fetch: app.fetch, port: Number(PORT) });
