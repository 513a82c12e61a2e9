/** A body parser of Koa that keeps no raw body comes first. */
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = new Koa();

app.use(koaBody());
app.use((ctx) => receiver.node(ctx.request, ctx.response));
app.listen(Number(PORT));
