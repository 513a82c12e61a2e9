/** Fastify 5. A parser takes every body, so the plugin of the route has one that keeps the bytes. */
import Fastify from 'fastify';
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = Fastify();

app.register((hooks, _, done) => {
  hooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) =>
    parsed(null, body),
  );
  hooks.post('/hooks', receiver.node);
  done();
});
await app.listen({ port: Number(PORT) });
