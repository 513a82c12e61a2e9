/** Koa's body parser comes before the receiver, and keeps the text. */
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = new Koa();

app.use(bodyParser());
app.use((ctx) => receiver.node(ctx.request, ctx.response));
app.listen(Number(PORT));
