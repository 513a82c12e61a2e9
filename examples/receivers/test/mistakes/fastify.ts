/** Fastify's own parser takes the body. */
import Fastify from 'fastify';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const app = Fastify();

app.post('/hooks', createOrders(SIGNING_SECRET).node);
await app.listen({ port: Number(PORT) });
