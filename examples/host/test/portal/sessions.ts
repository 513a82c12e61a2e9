/** Sessions of the portal, for tests. */
import { expect } from 'vitest';
import type { PortalRole } from '../../src/api/route.js';

/** How a request is sent; the members that are used here. */
type Send = (
  method: string,
  path: string,
  init: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>;

/** Says that a session of the portal is meant. */
export const MEANT = { 'headgate-portal': '1' } as const;

/** Makes a link with a key, and gives its token. */
export async function linkToken(
  send: Send,
  project: string,
  key: string,
  body: { readonly role: PortalRole; readonly name?: string; readonly expires_in?: number },
): Promise<string> {
  const made = await send('POST', `/projects/${project}/portal-links`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('/portal#token=hg_once_')]);
  return /#token=(\w+)/.exec(made.text)?.[1] ?? '';
}

/** Opens a link. */
export const openLink = (send: Send, token: string): ReturnType<Send> =>
  send('POST', '/session', {
    headers: { ...MEANT, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });

/** The headers of the pages of a session: its cookie, and what the browser and the pages add. */
export async function portalHeaders(
  send: Send,
  project: string,
  key: string,
  role: PortalRole,
): Promise<Readonly<Record<string, string>>> {
  const got = await openLink(send, await linkToken(send, project, key, { role }));
  expect(got.status).toBe(201);
  const [cookie = ''] = (got.headers.get('set-cookie') ?? '').split(';');
  return { cookie, ...MEANT, 'sec-fetch-site': 'same-origin' };
}
