/** The routes of the audit log. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { inProject, instant, instantIn, line, pageOf, pageQuery } from '../api/shapes.js';

/** One entry: who changed what, from what to what. */
export const auditEntry = z.object({
  id: z.string(),
  at: instant,
  /** `key:<id>`, `session:<key id or link>`, `admin`, or `service` for what the service does by itself. */
  actor: z.string(),
  /** Such as `rule.updated`. */
  action: z.string(),
  /** Such as `rule:<id>`. */
  resource: z.string(),
  /** Null if there was nothing, and for what only happened. */
  before: z
    .unknown()
    .describe(
      'The resource as it was. Of one of more than 16 KiB: its name and the members that changed; a member of more than 2 KiB ' +
        'is `{ left_out: { bytes, sha256 } }`',
    ),
  after: z.unknown().describe('The resource as it is since, in the same way'),
});

export const listAudit = route({
  name: 'listAudit',
  method: 'GET',
  path: '/projects/{project}/audit',
  access: 'read',
  summary: 'Lists who changed what in a project, newest first; kept 400 days',
  params: inProject,
  query: pageQuery.extend({
    actor: line(100).optional(),
    action: line(100).optional(),
    resource: line(200).optional(),
    /** From this instant on. */
    from: instantIn.optional(),
    /** Before this instant. */
    to: instantIn.optional(),
  }),
  answer: pageOf(auditEntry),
  problems: ['invalid_cursor'],
});

/** All routes of this module. */
export const auditRoutes = { listAudit };
