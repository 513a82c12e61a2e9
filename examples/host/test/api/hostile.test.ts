/**
 * Bodies, paths and headers that nobody would send in good faith: never an answer of 500, never a secret, never a hang.
 */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAudit } from '../../src/audit/list.js';
import type { BoundRoute, RouteDefinition } from '../../src/api/route.js';
import { createChannels } from '../../src/channels/channels.js';
import type { Database } from '../../src/db/index.js';
import { createEndpoints } from '../../src/endpoints/endpoints.js';
import { createSealer } from '../../src/secrets/sealing.js';
import { databases } from '../db/databases.js';
import { serve } from './served.js';
import { NO_ALERTS } from '../alerts/no-alerts.js';

const PROVIDER_SECRET = 'provider secret 7f3a';

/** The modules that answer for access, over one database. */
async function world(db: Database) {
  const sealer = createSealer([{ id: 'k1', key: randomBytes(32) }]);
  let bound: readonly BoundRoute[] = [];
  const served = serve(db, (parts) => {
    const channels = createChannels({ ...parts, sealer, publicUrl: 'https://hooks.example.com' });
    const endpoints = createEndpoints({
      wake: () => undefined,
      ...parts,
      checkUrl: () => null,
      send: () => Promise.resolve({ ok: true, status: 200 }),
      channelOf: channels.channelOf,
      secretsOf: channels.secretsOf,
      unusableIn: channels.unusableIn,
      sealer,
      alerts: NO_ALERTS,
    });
    bound = [...channels.routes, ...endpoints.routes, ...createAudit(parts).routes];
    return bound;
  });
  const [mine, other] = [await served.project('Mine'), await served.project('Other')];
  const make = async (path: string, body: object): Promise<string> => {
    const got = await served.send('POST', `/projects/${other.id}/${path}`, { key: other.key, body });
    return got.body.id as string;
  };
  const source = { name: 'github', secrets: [PROVIDER_SECRET] };
  const theirs = [
    await make('channels', { name: 'Theirs', source }),
    await make('endpoints', { url: 'https://e.example' }),
  ];
  const secrets = await served.send(
    'GET',
    `/projects/${other.id}/channels/${theirs[0] ?? ''}/secrets`,
    other,
  );
  const [{ secret }] = secrets.body.items as [{ secret: string }];
  const routes = [...bound, ...served.keys.routes, ...served.projects.routes];
  const definitions = routes.map(({ definition }) => definition);
  return { ...served, mine, definitions, theirs, forbidden: [secret, PROVIDER_SECRET, other.key, ...theirs] };
}

/** Texts that break parsers, databases and pages. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    "'; drop table channels; --",
    '__proto__',
    '%00',
    '../..',
    '1e999',
    'null',
  ),
  fc.constantFrom(
    '💥'.repeat(300),
    'x'.repeat(10_000),
    '<script>',
    '{{7*7}}',
    '\r\nset-cookie: a=b',
    '$1',
    '"',
  ),
);
const json = fc.oneof(fc.jsonValue({ maxDepth: 4 }), text, fc.constantFrom(-0, 1e308, -1, 2 ** 53, 0.1));
/** Members that routes know, with values that they do not expect. */
const body = fc.dictionary(
  fc.constantFrom(
    ...[
      'name',
      'url',
      'scopes',
      'source',
      'requires_key',
      'keep_hours',
      'channel_id',
      'key',
      'token',
      'plan',
    ],
    ...[
      'retry_max_attempts',
      'rate_limit_per_second',
      'retention_days',
      'auto_pause_days',
      'id',
      '__proto__',
    ],
  ),
  fc.oneof(json, fc.record({ name: text, secrets: fc.array(text), header: text }, { requiredKeys: [] })),
);
const raw = fc.oneof(
  body.map((value) => JSON.stringify(value)),
  json.map((value) => JSON.stringify(value)),
  fc.constantFrom('', '{', '[]', 'null', '{"name":"a","name":"b"}', '\ufeff{}', '['.repeat(50_000)),
  fc.constantFrom(`{"name":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, '{"name":1e999}'),
);

describe.each(databases())('hostile requests on $name', ({ open }) => {
  test('every route of these modules answers them with a problem of its own, and leaks nothing', async () => {
    const { send, mine, definitions, theirs, forbidden } = await world(await open());
    const request = fc.record({
      definition: fc.constantFrom(...definitions.filter(({ name }) => name !== 'endSessions')),
      params: fc.array(fc.oneof(fc.constantFrom(...theirs), text.map(encodeURIComponentOr)), {
        minLength: 3,
        maxLength: 3,
      }),
      raw,
      query: fc.dictionary(fc.constantFrom('limit', 'cursor', 'actor', 'from', 'to', 'period'), text, {
        maxKeys: 3,
      }),
      headers: fc.dictionary(
        fc.constantFrom('if-match', 'cookie', 'x-request-id', 'sec-fetch-site'),
        fc.stringMatching(/^[ -~]{0,30}$/),
        { maxKeys: 2 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ definition, params, raw: sent, query, headers }) => {
        const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, wellFormed(v)]));
        const path = `${pathOf(definition, mine.id, params)}?${search.toString()}`;
        const withBody = definition.method !== 'GET';
        const got = await send(definition.method, path, {
          key: mine.key,
          headers,
          ...(withBody && { body: sent }),
        });
        const about = `${definition.name} ${got.status} ${got.text.slice(0, 300)}`;
        expect(got.status, about).toBeLessThan(500);
        if (got.status >= 400) {
          expect(got.headers.get('content-type'), about).toBe('application/problem+json');
        }
        for (const secret of forbidden.filter((one) => !path.includes(one))) {
          expect(got.text).not.toContain(secret);
        }
      }),
      { numRuns: 400 },
    );
  });
});

const encodeURIComponentOr = (value: string): string => encodeURIComponent(wellFormed(value)) || 'x';

function pathOf({ path }: RouteDefinition, project: string, params: readonly string[]): string {
  let i = 0;
  return path.replace('{project}', project).replaceAll(/\{\w+\}/g, () => params[i++] ?? 'x');
}

/** Lone surrogates cannot be in a URL. */
const wellFormed = (value: string): string => Buffer.from(value).toString();
