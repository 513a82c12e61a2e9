/** The routes for whoever runs the service. */
import { z } from 'zod';
import { route } from '../api/route.js';

const nothing = z.object({});

export const health = route({
  name: 'health',
  method: 'GET',
  path: '/healthz',
  access: 'anybody',
  summary: 'Tells that the process answers, whatever its database does',
  params: nothing,
  answer: z.object({ status: z.literal('ok') }),
});

export const readiness = route({
  name: 'readiness',
  method: 'GET',
  path: '/readyz',
  access: 'anybody',
  summary:
    'Tells whether the process takes requests: its database answers and has room, their clocks agree, and it is not stopping',
  params: nothing,
  answer: z.object({ status: z.literal('ready') }),
  problems: ['stopping', 'clock_skewed'],
});

export const metrics = route({
  name: 'metrics',
  method: 'GET',
  path: '/metrics',
  access: 'admin',
  summary: 'Shows the metrics of this process, for Prometheus',
  params: nothing,
  produces: 'text/plain; version=0.0.4',
});

/** All routes of this module. */
export const operatingRoutes = { health, readiness, metrics };
