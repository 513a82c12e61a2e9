/** A body parser of Koa stands before, and the receiver is given node's request, which has nothing of it. */
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = new Koa();

app.use(bodyParser());
app.use((ctx) => receiver.node(ctx.req, ctx.res));
app.listen(Number(PORT));
