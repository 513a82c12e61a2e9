/** The routes of the documents that describe the API. */
import { z } from 'zod';
import { route } from '../api/route.js';

const nothing = z.object({});

export const openApiDocument = route({
  name: 'openApiDocument',
  method: 'GET',
  path: '/openapi.json',
  access: 'anybody',
  summary: 'Describes every route, as OpenAPI 3.1',
  params: nothing,
  cached: true,
  produces: 'application/json; charset=utf-8',
});

export const referencePage = route({
  name: 'referencePage',
  method: 'GET',
  path: '/reference',
  access: 'anybody',
  summary: 'Describes every route, as a page for people',
  params: nothing,
  cached: true,
  produces: 'text/html; charset=utf-8',
});

/** All routes of this module. */
export const documentRoutes = { openApiDocument, referencePage };
