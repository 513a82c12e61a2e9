/** A middleware reads the body before. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = new Hono();

app.use(async (c, next) => {
  console.log(`got ${typeof (await c.req.json())}`);
  await next();
});
app.post('/hooks', (c) => receiver.fetch(c.req.raw));
serve({ fetch: app.fetch, port: Number(PORT) });
