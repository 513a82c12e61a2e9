/** express.json() comes before the receiver. */
import express from 'express4';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const app = express();

app.use(express.json());
app.post('/hooks', createOrders(SIGNING_SECRET).node);
app.listen(Number(PORT));
