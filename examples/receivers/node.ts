/** node:http. */
import { createServer } from 'node:http';
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const receiver = createOrders(SIGNING_SECRET);

createServer((request, response) => void receiver.node(request, response)).listen(Number(PORT));
