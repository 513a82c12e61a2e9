/** readBody() of h3 1 comes before the receiver, and keeps the bytes. */
import { createServer } from 'node:http';
import { createApp, createRouter, defineEventHandler, readBody, toNodeListener, toWebRequest } from 'h3v1';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const receiver = createOrders(SIGNING_SECRET);

const hooks = defineEventHandler(async (event) => {
  console.log(`got ${typeof (await readBody(event))}`);
  return receiver.fetch(toWebRequest(event));
});

const app = createApp().use(createRouter().post('/hooks', hooks));
createServer(toNodeListener(app)).listen(Number(PORT));
