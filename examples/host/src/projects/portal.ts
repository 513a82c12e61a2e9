/**
 * How the portal of a project looks: name, logo and accent. The logo is served from here, so that pages load nothing
 * from elsewhere.
 */
import { bind, type BoundRoute } from '../api/route.js';
import type { Queries, Transaction } from '../db/index.js';
import { newId } from '../ids.js';
import { notFound } from '../errors/problem.js';
import { getPortal, getPortalLogo, type PortalEdit, type PortalLook, type Project } from './routes.js';
import { DELETE_LOGOS, type LogoRow, type ProjectRow, SELECT_LOGO } from './statements.js';

const PLAIN: PortalLook = { name: null, logo_url: null, accent: null };
const LOGOS = '/portal-logos/';

export const lookOf = ({ portal }: Pick<ProjectRow, 'portal'>): PortalLook =>
  portal === null ? PLAIN : (JSON.parse(portal) as PortalLook);

/**
 * Changes the members that an edit gives, and stores the logo.
 *
 * @returns The column `portal` of the project.
 */
export async function editLook(
  tx: Transaction,
  row: ProjectRow,
  edit: PortalEdit,
  at: number,
): Promise<string | null> {
  const before = lookOf(row);
  const { name = before.name, accent = before.accent } = edit;
  const logo_url =
    edit.logo_url === undefined ? before.logo_url : await replaceLogo(tx, row.id, edit.logo_url, at);
  const next: PortalLook = { name, logo_url, accent: accent?.toLowerCase() ?? null };
  return Object.values(next).every((value) => value === null) ? null : JSON.stringify(next);
}

/** A new logo has a new address, so that browsers may keep each for good. */
async function replaceLogo(
  tx: Transaction,
  project: string,
  dataUrl: string | null,
  at: number,
): Promise<string | null> {
  await tx.run(DELETE_LOGOS, [project]);
  const [, type, content] = /^data:([^;]+);base64,(.+)$/.exec(dataUrl ?? '') ?? [];
  if (type === undefined || content === undefined) return null;
  const id = newId(at);
  await tx.insert('portal_logos', [{ id, project_id: project, type, content }]);
  return LOGOS + id;
}

/** An image is harmless in a page. If somebody opens it as a document, no script in it runs. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'public, max-age=31536000, immutable',
} as const;

/** @throws Problem `not_found` */
async function logoAnswer(queries: Queries, id: string): Promise<Response> {
  const row = await queries.get<LogoRow>(SELECT_LOGO, [id]);
  if (row === undefined) throw notFound('logo');
  const bytes = Buffer.from(row.content, 'base64');
  const headers = { ...HEADERS, 'content-type': row.type, 'content-length': `${bytes.byteLength}` };
  return new Response(bytes, { headers });
}

/** @param get - Reads a project. */
export const portalRoutes = (
  queries: Queries,
  get: (project: string) => Promise<Project>,
): readonly BoundRoute[] => [
  bind(getPortal, async ({ params }) => {
    const { name, portal } = await get(params.project);
    return { ...portal, name: portal.name ?? name };
  }),
  bind(getPortalLogo, ({ params }) => logoAnswer(queries, params.logo)),
];
