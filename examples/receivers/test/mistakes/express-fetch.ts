/** The function for fetch is mounted in Express. */
import express, { type RequestHandler } from 'express5';
import { createOrders } from '../../orders.ts';

const { SIGNING_SECRET = '', PORT } = process.env;
const app = express();

// The compiler refuses this without the cast; plain JavaScript does not.
app.post('/hooks', createOrders(SIGNING_SECRET).fetch as unknown as RequestHandler);
app.listen(Number(PORT));
