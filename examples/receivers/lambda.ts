/** AWS Lambda, behind a function URL, API Gateway or a load balancer. */
import { createOrders } from './orders.ts';

const { SIGNING_SECRET = '' } = process.env;

export const handler = createOrders(SIGNING_SECRET).lambda;
