/** The reference page: complete, and harmless wherever it is shown. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { definitions, groups } from '../../src/api-table.js';
import { openApi } from '../../src/api/openapi.js';
import { reference, REFERENCE_POLICY } from '../../src/api/reference.js';
import { RULE_SCHEMAS } from '../../src/api-docs/rule-schemas.js';
import { type ProblemCode, PROBLEMS, problemType, REMEDIES } from '../../src/errors/problem.js';

const document = openApi({ groups, schemas: RULE_SCHEMAS, version: '0.1.0' });
const page = reference(groups, document);

describe('the reference page', () => {
  test('shows every route with its method, path and summary', () => {
    for (const { name, method, path } of definitions) {
      expect(page).toContain(`<article id="${name}">`);
      expect(page).toContain(`<code>${method}</code> <code>${path}</code>`);
    }
  });

  test('has an entry for every problem where its type leads to, which says what to do', () => {
    for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
      const [path, anchor] = problemType(code).split('#');
      expect(path).toBe('/reference');
      const [, row = ''] = new RegExp(`<tr id="${anchor}">([\\s\\S]*?)</tr>`).exec(page) ?? [];
      expect(row.match(/<td>/g)).toHaveLength(4);
      expect(REMEDIES[code].length).toBeGreaterThan(15);
    }
  });

  test('leads nowhere but to its own parts and to the OpenAPI document', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(200);
    expect(links.filter((link) => !ids.has(link))).toEqual(['/openapi.json']);
    expect(ids.size).toBe([...page.matchAll(/ id="/g)].length);
  });

  test('has no script, no style but the one that its policy names, and loads nothing', () => {
    expect(page).not.toMatch(/<script|<img|<link|<iframe| on\w+=| style=|javascript:/i);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(REFERENCE_POLICY['content-security-policy']).toContain(`'sha256-${hash}'`);
    expect(REFERENCE_POLICY['content-security-policy']).toContain("default-src 'none'");
  });

  test('escapes what a definition says', () => {
    const [definition] = definitions;
    const evil = { evil: { ...definition!, name: 'evil', summary: '<img src=x onerror=alert(1)> & "' } };
    const parts = { Evil: evil };
    const text = reference(parts, openApi({ groups: parts, schemas: {}, version: '0' }));
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;');
    expect(text).not.toContain('<img');
  });

  test('gives each route a line for a terminal, whose body has the form that the route takes', () => {
    for (const { name, path, body } of definitions) {
      const [, article = ''] = new RegExp(`<article id="${name}">([\\s\\S]*?)</article>`).exec(page) ?? [];
      const line = article.slice(article.indexOf('curl '));
      expect(line).toContain(path.split('{')[0]);
      const [, json] = /-d &#39;(.*?)&#39;/.exec(line) ?? [];
      if (json === undefined || body === undefined || body === 'raw') continue;
      const value = JSON.parse(json.replaceAll('&quot;', '"')) as unknown;
      if (name !== 'signIn') expect([name, body.safeParse(value).success]).toEqual([name, true]);
    }
  });
});
