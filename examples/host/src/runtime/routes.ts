/** The routes for the operator of the service. */
import { z } from 'zod';
import { route } from '../api/route.js';

const nothing = z.object({});

export const health = route({
  name: 'health',
  method: 'GET',
  path: '/healthz',
  access: 'anybody',
  summary: 'Reports that the process is alive, whatever the state of its database',
  params: nothing,
  answer: z.object({ status: z.literal('ok') }),
});

export const readiness = route({
  name: 'readiness',
  method: 'GET',
  path: '/readyz',
  access: 'anybody',
  summary:
    'Reports whether the process accepts requests: its database answers and has space, their clocks agree, and it is not stopping',
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
