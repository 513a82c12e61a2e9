/** The routes of projects. */
import { z } from 'zod';
import { route } from '../api/route.js';
import { inProject, instant, line, pageOf, pageQuery } from '../api/shapes.js';

const plan = z.enum(['hobby', 'hacker', 'pro', 'scale']);
const retentionDays = z.number().int().min(1).max(400);
const autoPauseDays = z.number().int().min(1).max(365).nullable();

/** A project as the API shows it. */
export const project = z.object({
  id: z.string(),
  name: z.string(),
  plan,
  retention_days: retentionDays,
  auto_pause_days: autoPauseDays,
  rules_version: z.number().int(),
  version: z.number().int(),
  created_at: instant,
  updated_at: instant,
});
export type Project = z.output<typeof project>;

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
  summary: 'Makes a project, with a first key that may manage it',
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
    .strictObject({ name: line(100), retention_days: retentionDays, auto_pause_days: autoPauseDays })
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

/** All routes of this module. */
export const projectRoutes = { listProjects, createProject, getProject, updateProject, updatePlan };
