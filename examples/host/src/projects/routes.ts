/** The routes of projects. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { id, inProject, instant, line, pageOf, pageQuery } from '../api/shapes.js';

const plan = z.enum(['hobby', 'hacker', 'pro', 'scale']);
const retentionDays = z.number().int().min(1).max(400);
/** Most characters of a logo in the text of its URL. */
const MAX_LOGO = 65_536;
const LOGO = /^data:image\/(?:png|jpeg|webp|gif|svg\+xml);base64,[A-Za-z\d+/]+={0,2}$/;
const accent = z
  .string()
  .regex(/^#[\da-f]{6}$/i, 'six hexadecimal digits, such as #3d56d6')
  .nullable()
  .describe('The colour of buttons and links; the pages change its lightness where text could not be read');

/** How the portal looks; null for each member that it has from the project, or from the dashboard. */
const portalLook = z.object({
  name: z.string().nullable(),
  logo_url: z.string().nullable().describe('Where the logo is served, as a path of this service'),
  accent,
});
export type PortalLook = z.output<typeof portalLook>;

const autoPauseDays = z.number().int().min(1).max(365).nullable();

/** A project as the API shows it. */
export const project = z.object({
  id: z.string(),
  name: z.string(),
  plan,
  retention_days: retentionDays,
  auto_pause_days: autoPauseDays,
  portal: portalLook,
  rules_version: z.number().int(),
  version: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type Project = z.output<typeof project>;

const portalEdit = z
  .strictObject({
    name: line(100).nullable(),
    logo_url: z
      .string()
      .max(MAX_LOGO)
      .regex(LOGO, 'a data: URL of a PNG, JPEG, WebP, GIF or SVG image in Base64')
      .nullable()
      .describe(
        'A `data:` URL of an image, at most 64 KiB; the service serves it from an address of its own',
      ),
    accent,
  })
  .partial();
export type PortalEdit = z.output<typeof portalEdit>;

const settings = z.strictObject({
  name: line(100),
  retention_days: retentionDays.default(30),
  auto_pause_days: autoPauseDays.default(null),
});

export const listProjects = route({
  name: 'listProjects',
  method: 'GET',
  path: '/projects',
  access: 'admin',
  summary: 'Lists all projects, newest first',
  params: z.object({}),
  query: pageQuery,
  answer: pageOf(project),
  problems: ['invalid_cursor'],
});

export const createProject = route({
  name: 'createProject',
  method: 'POST',
  path: '/projects',
  access: 'admin',
  summary: 'Creates a project, with a first key that may manage it',
  params: z.object({}),
  body: settings.extend({ plan: plan.default('hobby') }),
  status: 201,
  answer: z.object({ project, key: z.string() }),
});

export const getProject = route({
  name: 'getProject',
  method: 'GET',
  path: '/projects/{project}',
  access: 'read',
  summary: 'Shows a project',
  params: inProject,
  answer: project,
});

export const updateProject = route({
  name: 'updateProject',
  method: 'PATCH',
  path: '/projects/{project}',
  access: 'manage',
  summary: 'Changes the settings of a project',
  params: inProject,
  body: z
    .strictObject({
      name: line(100),
      retention_days: retentionDays,
      auto_pause_days: autoPauseDays,
      portal: portalEdit,
    })
    .partial(),
  answer: project,
  versioned: true,
  problems: ['version_conflict'],
});

export const updatePlan = route({
  name: 'updatePlan',
  method: 'PUT',
  path: '/projects/{project}/plan',
  access: 'admin',
  summary: 'Changes the plan of a project; for the operator of the service',
  params: inProject,
  body: z.strictObject({ plan }),
  answer: project,
  versioned: true,
  problems: ['version_conflict'],
});

/** Counts of the things in a project, by kind. */
const contents = z.object({
  events: z.number().int(),
  waiting_deliveries: z.number().int().describe('Deliveries that are not finished; they are never sent'),
  dead_letters: z.number().int(),
  channels: z.number().int(),
  endpoints: z.number().int(),
  rules: z.number().int(),
  event_types: z.number().int(),
  receivers: z.number().int(),
  clients: z.number().int(),
  keys: z.number().int().describe('Keys that are not revoked'),
  sessions: z.number().int().describe('Of the dashboard and the portal'),
});
export type ProjectContents = z.output<typeof contents>;

/** A project that was deleted. */
export const deletion = z.object({
  id: z.string(),
  project: z.string(),
  name: z.string().describe('The name that it had'),
  deleted_at: instant,
  deleted_by: z.string().describe('An actor, as in the audit log'),
  removed: z.number().int().describe('Rows that were removed so far'),
  ended_at: instant.nullable().describe('When the last row was removed; null until then'),
});
export type ProjectDeletion = z.output<typeof deletion>;

export const getProjectContents = route({
  name: 'getProjectContents',
  method: 'GET',
  path: '/projects/{project}/contents',
  access: 'manage',
  summary: 'Counts what a project has, and what would go with it',
  description: 'Each kind is counted to 10,000; `10001` stands for more.',
  params: inProject,
  answer: contents,
});

export const deleteProject = route({
  name: 'deleteProject',
  method: 'DELETE',
  path: '/projects/{project}',
  access: 'manage',
  summary: 'Deletes a project with everything in it, for good',
  description: `Needs the \`name\` of the project, exactly as it is. With the answer, the project is gone: its sources, keys,
sessions and portal links are unknown, its SDK clients are disconnected, and nothing more is sent but attempts that are under way.
Its rows are then removed in the background; \`GET /project-deletions\` shows the operator how far that has come.`,
  params: inProject,
  query: z.object({ name: z.string().max(200) }),
  status: 202,
  answer: deletion,
});

export const listProjectDeletions = route({
  name: 'listProjectDeletions',
  method: 'GET',
  path: '/project-deletions',
  access: 'admin',
  summary: 'Lists projects that were deleted in the last 400 days, newest first',
  params: z.object({}),
  query: pageQuery,
  answer: pageOf(deletion),
  problems: ['invalid_cursor'],
});

export const getPortal = route({
  name: 'getPortal',
  method: 'GET',
  path: '/projects/{project}/portal',
  access: 'read',
  portal: 'viewer',
  summary: 'Shows how the portal of a project looks',
  params: inProject,
  answer: portalLook.extend({
    name: z.string().describe('That of the project unless the portal has its own'),
  }),
});

export const getPortalLogo = route({
  name: 'getPortalLogo',
  method: 'GET',
  path: '/portal-logos/{logo}',
  access: 'anybody',
  summary: 'Shows the logo of a portal, as an image',
  params: z.object({ logo: id }),
  produces: 'image/*',
});

/** All routes of this module. */
export const projectRoutes = {
  ...{ listProjects, createProject, getProject, updateProject, updatePlan },
  ...{ getPortal, getPortalLogo, getProjectContents, deleteProject, listProjectDeletions },
};
