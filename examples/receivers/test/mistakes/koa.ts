/** A body parser of Koa comes first, and the receiver gets Node's request, from which the body has been read. */
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = new Koa();

app.use(bodyParser());
app.use((ctx) => receiver.node(ctx.req, ctx.res));
app.listen(Number(PORT));
