/** A whole list, against a host that answers page by page. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import { allOf, createApi, type Output } from '../../src/client/index.js';
import { databases } from '../db/databases.js';
import { hostOn } from '../world.js';

const [sqlite] = databases();
const ENDPOINTS = 7;

async function projectWithEndpoints() {
  const { url, key, project } = await hostOn(await sqlite!.open());
  const asked: string[] = [];
  const api = createApi({
    baseUrl: url,
    key,
    fetch: (address, init) => {
      asked.push((address as string).split('?')[1] ?? '');
      return fetch(address, init);
    },
  });
  for (let i = 0; i < ENDPOINTS; i++) {
    await api.createEndpoint({ project, body: { name: `${i}`, url: 'https://hooks.example.com/a' } });
  }
  asked.length = 0;
  return { api, project, asked };
}

describe('all of a list', () => {
  test.for([
    { size: 200, limit: undefined, requests: 1 },
    { size: 1, limit: 1, requests: ENDPOINTS },
    { size: 3, limit: 3, requests: 3 },
    { size: ENDPOINTS, limit: ENDPOINTS, requests: 1 },
  ])('has every item once and in order, by pages of $size', async ({ size, limit, requests }) => {
    const { api, project, asked } = await projectWithEndpoints();
    const endpoints = await allOf(api.listEndpoints, {
      project,
      ...(limit !== undefined && { query: { limit } }),
    });
    expect(endpoints.map(({ name }) => name)).toEqual(['6', '5', '4', '3', '2', '1', '0']);
    expect(asked).toHaveLength(requests);
    expect(asked.every((query) => new URLSearchParams(query).get('limit') === `${size}`)).toBe(true);
  });

  test('keeps the conditions of the query on every page', async () => {
    const { api, project, asked } = await projectWithEndpoints();
    const channel = await api.createChannel({ project, body: { name: 'in' } });
    for (let i = 0; i < 3; i++) {
      await api.ingest({
        channel: channel.address ?? '',
        body: `{"n":${i}}`,
        contentType: 'application/json',
      });
    }
    asked.length = 0;
    const query = { channel: channel.id, limit: 2 };
    const events = await allOf(api.listEvents, { project, query });
    expect(events).toHaveLength(3);
    expect(asked.map((text) => new URLSearchParams(text).get('channel'))).toEqual([channel.id, channel.id]);
  });

  test('begins at the cursor that is given', async () => {
    const { api, project } = await projectWithEndpoints();
    const { next } = await api.listEndpoints({ project, query: { limit: 5 } });
    const rest = await allOf(api.listEndpoints, { project, query: { limit: 1, cursor: next ?? '' } });
    expect(rest.map(({ name }) => name)).toEqual(['1', '0']);
  });

  test('throws the problem of a page that is refused', async () => {
    const { api, project } = await projectWithEndpoints();
    const all = allOf(api.listEndpoints, { project, query: { cursor: 'nowhere' } });
    await expect(all).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  test('has the types of the method', () => {
    const api = createApi({ baseUrl: 'https://hooks.example.com' });
    const tried = () => [
      // @ts-expect-error a parameter of the path is missing
      allOf(api.listEvents, {}),
      // @ts-expect-error no such state
      allOf(api.listDeliveries, { project: 'p', query: { state: 'lost' } }),
      // @ts-expect-error a method that answers with no page
      allOf(api.getProject, { project: 'p' }),
    ];
    expect(tried).toBeTypeOf('function');
    const events = () => allOf(api.listEvents, { project: 'p', query: { status: 'dropped' } });
    expectTypeOf(events).returns.resolves.toEqualTypeOf<Output<'listEvents'>['items']>();
    // Nothing is required but the input itself.
    const projects = () => allOf(api.listProjects, {});
    expectTypeOf(projects).returns.resolves.toEqualTypeOf<Output<'listProjects'>['items']>();
  });
});
