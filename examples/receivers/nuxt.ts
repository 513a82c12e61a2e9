/** Nuxt and Nitro 2: their handlers are those of h3 1, which is used on its own here. */
import { createServer } from 'node:http';
import { createApp, createRouter, defineEventHandler, toNodeListener, toWebRequest } from 'h3v1';
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const receiver = createOrders(SIGNING_SECRET);

const hooks = defineEventHandler((event) => receiver.fetch(toWebRequest(event)));

const app = createApp().use(createRouter().post('/hooks', hooks));
createServer(toNodeListener(app)).listen(Number(PORT));
