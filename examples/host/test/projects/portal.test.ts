/** How the portal of a project looks: its name, its accent, and a logo that the service serves itself. */
import { describe, expect, test } from 'vitest';
import { serve } from '../api/served.js';
import { databases } from '../db/databases.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LOGO = `data:image/png;base64,${PNG}`;

describe.each(databases())('the look of the portal on $name', ({ open }) => {
  test('members are changed one by one, and taken back with null', async () => {
    const { send, project } = serve(await open());
    const { id, key } = await project('Orders');
    const path = `/projects/${id}`;
    const edit = async (portal: object) => (await send('PATCH', path, { key, body: { portal } })).body;
    const look = async () => (await send('GET', `${path}/portal`, { key })).body;
    expect(await look()).toEqual({ name: 'Orders', logo_url: null, accent: null });
    expect((await send('GET', path, { key })).body.portal).toEqual({
      name: null,
      logo_url: null,
      accent: null,
    });

    await edit({ name: 'Acme webhooks' });
    await edit({ accent: '#E91E63' });
    const { version } = await edit({ logo_url: LOGO });
    expect(await look()).toEqual({
      ...{ name: 'Acme webhooks', accent: '#e91e63' },
      logo_url: expect.stringMatching(/^\/portal-logos\/[\da-f-]{36}$/),
    });
    // Nothing changes, so the version stays.
    expect((await edit({ name: 'Acme webhooks' })).version).toBe(version);
    await edit({ name: null, logo_url: null, accent: null });
    expect(await look()).toEqual({ name: 'Orders', logo_url: null, accent: null });
  });

  test('each version of a logo has an address of its own, and the last one is kept alone', async () => {
    const { send, project, db } = serve(await open());
    const { id, key } = await project();
    const edit = async (logo_url: string | null) =>
      (await send('PATCH', `/projects/${id}`, { key, body: { portal: { logo_url } } })).body as {
        portal: { logo_url: string };
      };
    const { portal } = await edit(LOGO);
    const next = await edit(`data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`);
    expect(next.portal.logo_url).not.toBe(portal.logo_url);
    expect((await send('GET', portal.logo_url)).status).toBe(404);
    expect(await db.all('select * from portal_logos')).toHaveLength(1);
    await edit(null);
    expect(await db.all('select * from portal_logos')).toEqual([]);
    expect(JSON.stringify(await db.all('select * from audit_log'))).not.toContain(PNG);
  });

  test.for([
    { logo_url: 'https://example.com/logo.png' },
    { logo_url: 'javascript:alert(1)' },
    { logo_url: `data:text/html;base64,${PNG}` },
    { logo_url: `data:image/svg+xml,<svg/>` },
    { logo_url: `data:image/png;base64,${'A'.repeat(65_536)}` },
    { logo_url: `data:image/png;base64,"><script>` },
    { accent: 'red' },
    { accent: '#fff' },
    { accent: '#12345g' },
    { accent: '#123456;color:red' },
    { name: '' },
    { name: 'a\nb' },
    { nam: 'x' },
  ])('%j is refused', async (portal) => {
    const { send, project } = serve(await open());
    const { id, key } = await project();
    expect((await send('PATCH', `/projects/${id}`, { key, body: { portal } })).status).toBe(400);
  });
});
