/** Koa. A body parser may come first: it keeps the raw text. */
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const router = new Router();

router.post('/hooks', (ctx) => receiver.node(ctx.request, ctx.response));

const app = new Koa();
app.use(router.routes());
app.use(bodyParser());
app.listen(Number(PORT));
