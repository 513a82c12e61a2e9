/** express.raw() comes before the receiver, as signing guides say. */
import express from 'express5';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const app = express();

app.post(
  '/hooks',
  express.raw({ type: 'application/json', limit: '2mb' }),
  createOrders(SIGNING_SECRET).node,
);
app.use(express.json());
app.listen(Number(PORT));
