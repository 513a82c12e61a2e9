/** The OpenAPI document: valid, complete, and true to the table. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { definitions, groups, table } from '../../src/api-table.js';
import { problemsByStatus } from '../../src/api/declared.js';
import { openApi } from '../../src/api/openapi.js';
import { RULE_SCHEMAS } from '../../src/api-docs/rule-schemas.js';
import { PROBLEMS } from '../../src/errors/problem.js';

const document = openApi({ groups, schemas: RULE_SCHEMAS, version: '0.1.0' });

/** Every value of a member, wherever it stands. */
function valuesOf(name: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return [];
  return Object.entries(within).flatMap(([key, value]) => [
    ...(key === name ? [value as unknown] : []),
    ...valuesOf(name, value),
  ]);
}

describe('the OpenAPI document', () => {
  test('is valid by the schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toEqual({ valid: true });
  });

  test('would not be valid with a route that has no answers', async () => {
    const broken = structuredClone(document) as {
      paths: Record<string, Record<string, { responses: unknown }>>;
    };
    broken.paths['/healthz']!.get!.responses = 'none';
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  test('describes every route of the table once, by its name', () => {
    const names = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(names.sort()).toEqual(Object.keys(table).sort());
    expect(Object.values(groups).flatMap((routes) => Object.keys(routes))).toEqual(Object.keys(table));
    expect(definitions.map(({ name }) => name)).toEqual(Object.keys(table));
  });

  test('describes the server-sent events of every route that streams', () => {
    const streams = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, responses }) => {
        const { content = {} } = (responses['200'] ?? {}) as { content?: Record<string, object> };
        return 'text/event-stream' in content ? [[operationId, content['text/event-stream']]] : [];
      });
    expect(Object.fromEntries(streams)).toEqual({
      tailEvents: { schema: { type: 'string', description: expect.stringContaining('`skipped`') } },
      ...Object.fromEntries(
        ['dryRunRule', 'createComparison', 'searchEvents'].map((name) => [
          name,
          {
            schema: { type: 'string', description: expect.stringMatching(/`progress`.*`report`.*`problem`/) },
          },
        ]),
      ),
    });
  });

  test('has every schema that it refers to', () => {
    const references = valuesOf('$ref', document);
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((one) => !known.includes(String(one)))).toEqual([]);
  });

  test('has schemas that a strict validator compiles', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'api');
    for (const schema of valuesOf('schema', document)) {
      const placed = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object;
      expect(() => ajv.compile(placed)).not.toThrow();
    }
  });

  test('names each problem of a route under its status', () => {
    for (const definition of definitions) {
      const { responses } = document.paths[definition.path]![definition.method.toLowerCase()]!;
      for (const [status, codes] of problemsByStatus(definition)) {
        const text = JSON.stringify(responses[status]);
        for (const code of codes) expect(text).toContain(`"${code}"`);
      }
    }
  });

  test('names every code of the closed list for some route, but those that no route has', () => {
    const declared = new Set(
      definitions.flatMap((definition) => [...problemsByStatus(definition).values()].flat()),
    );
    expect(Object.keys(PROBLEMS).filter((code) => !declared.has(code as never))).toEqual([
      'method_not_allowed',
    ]);
  });
});

describe('the table', () => {
  test('has one route for each method and path', () => {
    const addresses = definitions.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('names each parameter of a path, and no other', () => {
    for (const { path, params } of definitions) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params.shape)).toEqual(inPath);
    }
  });

  test('takes bodies only with methods that have one', () => {
    const odd = definitions.filter(
      ({ method, body }) => ['GET', 'DELETE'].includes(method) && body !== undefined,
    );
    expect(odd).toEqual([]);
  });

  test('refuses members that it does not know in every body', () => {
    for (const { name, body } of definitions) {
      if (body === undefined || body === 'raw') continue;
      const result = body.safeParse({ a_member_of_nobody: 1 });
      const refused = JSON.stringify(result.error?.issues ?? []);
      // Rules are documents of the package, which has checks of its own.
      if (['createRule', 'replaceRule', 'updateRule'].includes(name)) continue;
      expect([name, refused.includes('unrecognized_keys')]).toEqual([name, true]);
    }
  });
});
