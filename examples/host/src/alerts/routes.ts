/** The routes of alerts. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { id, inProject, instant, pageOf, pageQuery } from '../api/shapes.js';

/** The kinds of alerts, which are the types of the events that report them. */
export const KINDS = [
  'headgate.endpoint.failing',
  'headgate.endpoint.paused',
  'headgate.endpoint.recovered',
  'headgate.dead_letters.growing',
  'headgate.rules.undecided',
  'headgate.quota.reached',
  'headgate.source.rejected',
] as const;
const kind = z.enum(KINDS).describe('What happened, and the type of the event that reports it');
export type Kind = z.output<typeof kind>;

/** An alert as the API shows it. */
export const alert = z.object({
  id: z.string(),
  kind,
  subject: z
    .string()
    .describe('Where it happens: `endpoint:<id>`, `channel:<id>`, `project:<id>`, or `quota:` and its name'),
  name: z.string().nullable().describe('The name of the endpoint or channel; null for other subjects'),
  count: z.number().int().describe('How often it happened since `since`'),
  since: instant.describe('When it happened first, since it was last dismissed'),
  last_at: instant.describe('When it happened last'),
  detail: z.record(z.string(), z.unknown()).describe('About the last time that it happened'),
  sent_at: instant
    .nullable()
    .describe('When the last event was sent to the endpoints for alerts; null for none'),
  dismissed_at: instant.nullable(),
  dismissed_by: z.string().nullable(),
});
export type Alert = z.output<typeof alert>;

const inAlert = inProject.extend({ alert: id });

export const listAlerts = route({
  name: 'listAlerts',
  method: 'GET',
  path: '/projects/{project}/alerts',
  access: 'read',
  summary: 'Lists alerts, newest first',
  description: `There is one for each kind and subject. When it happens again after it was dismissed, it is back, with a new id and a
count that begins again.`,
  params: inProject,
  query: pageQuery.extend({ dismissed: z.enum(['true', 'false']).optional() }),
  answer: pageOf(alert),
  problems: ['invalid_cursor'],
});

export const dismissAlert = route({
  name: 'dismissAlert',
  method: 'POST',
  path: '/projects/{project}/alerts/{alert}/dismiss',
  access: 'manage',
  summary: 'Dismisses an alert, until it happens again',
  params: inAlert,
  answer: alert,
});

export const dismissAlerts = route({
  name: 'dismissAlerts',
  method: 'POST',
  path: '/projects/{project}/alerts/dismiss',
  access: 'manage',
  summary: 'Dismisses all alerts of a project',
  params: inProject,
  answer: z.object({ dismissed: z.number().int() }),
});

/** All routes of this module. */
export const alertRoutes = { listAlerts, dismissAlert, dismissAlerts };
