/** Express 5. The receiver comes before the parser of the other routes. */
import express from 'express5';
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const receiver = createOrders(SIGNING_SECRET);
const app = express();

app.post('/hooks', receiver.node);
app.use(express.json());
app.listen(Number(PORT));
