/** A middleware reads a clone of the request before. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = new Hono();

app.use(async (c, next) => {
  if (c.req.method === 'POST') console.log(`got ${typeof (await c.req.raw.clone().json())}`);
  await next();
});
app.post('/hooks', (c) => receiver.fetch(c.req.raw));
serve({ fetch: app.fetch, port: Number(PORT) });
