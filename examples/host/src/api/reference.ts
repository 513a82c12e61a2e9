/** The reference page: every route as a person reads it. It has no script, and needs nothing from elsewhere. */
import { createHash } from 'node:crypto';
import { problemAnchor, type ProblemCode, PROBLEMS, REMEDIES } from '../errors/problem.js';
import { problemsOf } from './declared.js';
import { Html, html, marked } from './html.js';
import type { JsonSchema } from './json-schema.js';
import type { OpenApiDocument, RouteGroups } from './openapi.js';
import { outline, smallest } from './outline.js';
import { STYLE } from './reference-style.js';
import type { Access, PortalRole, RouteDefinition } from './route.js';

const hash = createHash('sha256').update(STYLE).digest('base64');

/** Headers of the page: nothing is loaded, nothing runs, and no other page may frame it. */
export const REFERENCE_POLICY = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const;

/** The page of a table. */
export const reference = (groups: RouteGroups, document: OpenApiDocument): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Headgate API</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <h1>Headgate API</h1>
          <p>
            Every route, made from the table that serves it. The same as
            <a href="/openapi.json">OpenAPI 3.1</a>.
          </p>
          <p>
            Give a key as <code>Authorization: Bearer hg_key_…</code>. Errors are problems (RFC 9457) with a
            <code>code</code>; each has a <code>request_id</code>. Lists take <code>limit</code> and
            <code>cursor</code>, and answer <code>{ items, next }</code>.
          </p>
        </header>
        <nav aria-label="Routes">
          <ul>
            ${Object.entries(groups).map(menu)}
            <li><a href="#problems">Problems</a></li>
            <li><a href="#schemas">Schemas</a></li>
          </ul>
        </nav>
        <main>
          ${Object.entries(groups).map(([title, routes]) => section(title, Object.values(routes), document))}
          ${problems()} ${schemas(document)}
        </main>
      </body>
    </html> `.text;

const problems = (): Html =>
  html`<section id="problems">
    <h2>Problems</h2>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>code</th>
            <th>status</th>
            <th>it says</th>
            <th>what to do</th>
          </tr>
        </thead>
        <tbody>
          ${(Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
            const [status, title] = PROBLEMS[code];
            return html`<tr id="${problemAnchor(code)}">
              <td><code>${code}</code></td>
              <td>${status}</td>
              <td>${title}</td>
              <td>${marked(REMEDIES[code])}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  </section>`;

const schemas = ({ components }: OpenApiDocument): Html =>
  html`<section id="schemas">
    <h2>Schemas</h2>
    ${Object.entries(components.schemas).map(
      ([name, schema]) =>
        html`<h3 id="schema-${name}"><code>${name}</code></h3>
          ${shape(schema)}`,
    )}
  </section>`;

const slug = (title: string): string => title.toLowerCase().replaceAll(/\W+/g, '-');

const menu = ([title, routes]: readonly [string, Readonly<Record<string, RouteDefinition>>]): Html =>
  html`<li>
    <a href="#of-${slug(title)}">${title}</a>
    <ul>
      ${Object.values(routes).map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
    </ul>
  </li>`;

const section = (title: string, routes: readonly RouteDefinition[], document: OpenApiDocument): Html =>
  html`<section id="of-${slug(title)}">
    <h2>${title}</h2>
    ${routes.map((route) => article(route, document))}
  </section> `;

const ACCESS: Readonly<Record<Access, string>> = {
  anybody: 'Anybody may call it.',
  admin: "Needs the operator's key.",
  ingest: 'Needs a key with the scope ingest.',
  receive: 'Needs a key with the scope receive.',
  read: 'Needs a key or a session with the scope read or manage.',
  manage: 'Needs a key or a session with the scope manage.',
};

const PORTAL: Readonly<Record<PortalRole, string>> = {
  viewer: 'Sessions of the portal may call it.',
  owner: 'Sessions of the portal with the role owner may call it.',
};

function article(route: RouteDefinition, document: OpenApiDocument): Html {
  const { name, method, path, summary, description, access, portal } = route;
  const operation = (document.paths[path]?.[method.toLowerCase()] ?? {}) as unknown as ReadOperation;
  const body = operation.requestBody?.content['application/json']?.schema;
  return html`<article id="${name}">
    <h3>
      <a href="#${name}"><code>${method}</code> <code>${path}</code></a>
    </h3>
    <p>${marked(summary)}. ${description === undefined ? '' : marked(description)}</p>
    <p class="access">${ACCESS[access]}${portal === undefined ? '' : ` ${PORTAL[portal]}`}</p>
    ${parametersTable(operation.parameters)}
    ${
      body === undefined
        ? ''
        : html`<h4>Body</h4>
            ${shape(body)}`
    }
    ${Object.entries(operation.responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => answer(status, response))}
    <p class="problems">
      Problems:
      ${problemsOf(route).map((code) => html`<a href="#${problemAnchor(code)}"><code>${code}</code></a> `)}
    </p>
    <pre tabindex="0"><code>${curl(route, body)}</code></pre>
  </article> `;
}

/** The members of an operation that the page shows. */
interface ReadOperation {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answered>>;
}
interface Content {
  readonly schema?: JsonSchema;
}
interface Answered {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

const parametersTable = (parameters: ReadOperation['parameters']): Html =>
  parameters.length === 0
    ? html``
    : html`<div class="wide">
        <table>
          <thead>
            <tr>
              <th>parameter</th>
              <th>in</th>
              <th>value</th>
            </tr>
          </thead>
          <tbody>
            ${parameters.map(
              ({ name, in: where, required, description, schema }) =>
                html`<tr>
                  <td><code>${name}</code>${required === true ? ' *' : ''}</td>
                  <td>${where}</td>
                  <td>
                    <code>${outline(schema)}</code>
                    ${schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}. `}${description === undefined ? '' : marked(description)}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;

const answer = (status: string, { description, content = {} }: Answered): Html =>
  html`<h4>${status} ${description}</h4>
    ${Object.entries(content).map(([type, { schema }]) =>
      schema === undefined ? html`<p><code>${type}</code></p>` : shape(schema),
    )}`;

const shape = (schema: JsonSchema): Html => html`<pre tabindex="0"><code>${outline(schema)}</code></pre>`;

/** A line for a terminal: parameters stand as variables of the shell. */
function curl({ method, path, access, body }: RouteDefinition, schema: JsonSchema | undefined): string {
  const url = `"$HEADGATE${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`;
  const key =
    access === 'anybody'
      ? []
      : [`-H "Authorization: Bearer $${access === 'admin' ? 'OPERATOR_KEY' : 'KEY'}"`];
  const content = body === undefined ? [] : [`-H 'content-type: application/json'`, `-d ${dataOf(schema)}`];
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`];
  return ['curl', ...verb, url, ...key, ...content].join(' ');
}

const dataOf = (schema: JsonSchema | undefined): string => {
  const example = schema === undefined ? null : smallest(schema);
  return example === null ? '@body.json' : `'${JSON.stringify(example)}'`;
};
