/**
 * docs/api-answers.md: a curl line for each route, and what it answers. The test calls them all and compares the
 * members of their answers with those on the page, since ids, times and counts differ. `WRITE=1` writes the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from 'vitest';
import { groups } from '../../src/api-table.js';
import { statusOf } from '../../src/api/declared.js';
import type { RouteDefinition } from '../../src/api/route.js';
import { databases } from '../db/databases.js';
import { type Answer, type Estate, estateOn, filled, OPERATOR_KEY, ORDINALS } from './estate.js';
import { validBody } from './requests.js';

const PAGE = join(import.meta.dirname, '../../../../docs/api-answers.md');
const HEAD = `# What each route answers

A request for each route of the host, and its answer with at most two items of each list. The examples take the address, the project
and the keys from the environment:

\`\`\`sh
HOST=http://127.0.0.1:8080 PROJECT=01920000-0000-7000-8000-000000000000 KEY=hg_key_… ADMIN_KEY=…
\`\`\`

[api.md](api.md) explains what the resources mean. \`/reference\` of a running host lists every parameter and every problem.
`;

const titled = Object.entries(groups).map(([title, routes]) => ({
  title,
  // A stream has no end, and a logo is an image.
  routes: Object.values<RouteDefinition>(routes).filter(
    ({ name }) => name !== 'tailEvents' && name !== 'getPortalLogo',
  ),
}));
const routes = titled.flatMap((group) => group.routes);

/** Longer answers are left out: the description of the whole API is one. */
const LONGEST = 20_000;
/** Queries of routes that take none of the bodies in requests.ts. */
const QUERIES: Readonly<Record<string, string>> = {
  deleteProject: '?name=Renamed',
  discardDeadLetters: '?all=true',
};
/** The source of the estate's channel proves itself by a token. */
const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ingest: { 'x-token': 'canary-ours-source-token' },
};
const WITH_KEY: readonly string[] = ['getSession', 'ingest'];

/** Reads come first, then what adds, then what changes, and at last what deletes, from the inside out. */
function turnOf({ method, name, path }: RouteDefinition): number {
  if (name === 'orderRules') return 0;
  const turn = ['GET', 'POST', 'PUT', 'PATCH'].indexOf(method);
  return turn < 0 ? 100 - path.length : turn;
}

const keyOf = ({ access, name }: RouteDefinition): 'ADMIN_KEY' | 'KEY' | null =>
  access === 'admin' ? 'ADMIN_KEY' : access === 'anybody' && !WITH_KEY.includes(name) ? null : 'KEY';

function bodyOf(route: RouteDefinition, { ours }: Estate): string | undefined {
  if (route.name === 'signIn') return JSON.stringify({ key: ours.keys.all });
  // The secret before stays, so that it can be removed.
  if (route.name === 'rotateSecret' || route.name === 'rotateEndpointSecret') return '{}';
  return validBody(route, ours.ids);
}

/** Calls every route once. */
async function callAll(estate: Estate): Promise<ReadonlyMap<string, Answer>> {
  const { ours, send } = estate;
  const keys = { ADMIN_KEY: OPERATOR_KEY, KEY: ours.keys.all };
  const secrets = `/projects/${ours.ids.project ?? ''}/endpoints/${ours.ids.endpoint ?? ''}/secrets`;
  await send('POST', secrets, { key: keys.KEY, body: '{}' });
  const { text } = await send('GET', secrets, { key: keys.KEY });
  const [own] = (JSON.parse(text) as { items: { id: string }[] }).items;
  const answers = new Map<string, Answer>();
  for (const route of routes.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    const named = keyOf(route);
    const body = bodyOf(route, estate);
    const ids = route.name === 'removeEndpointSecret' ? { ...ours.ids, secret: own?.id ?? '' } : ours.ids;
    const path = filled(route, ids) + (QUERIES[route.name] ?? '');
    const headers = HEADERS[route.name] ?? {};
    const init = {
      headers,
      ...(named !== null && { key: keys[named] }),
      ...(body !== undefined && { body }),
    };
    answers.set(route.name, await send(route.method, path, init));
  }
  return answers;
}

/** An id of the page, for one that is another each time. */
const placeholder = (index: number): string => `01920000-0000-7000-8000-${`${index}`.padStart(12, '0')}`;

/** Puts what is the same each time for what is not. */
function plainly({ ours }: Estate): (text: string) => string {
  const names = Object.keys(ours.ids).sort();
  const known = Object.entries(ours.ids)
    .filter(([, id]) => /^[\da-f]{8}-/.test(id))
    .map(
      ([name, id]) =>
        [id, name === 'project' ? placeholder(0) : placeholder(names.indexOf(name) + 1)] as const,
    );
  return (text) =>
    known
      .reduce((so, [id, shown]) => so.replaceAll(id, shown), text)
      .replaceAll(/canary-(?:ours|theirs)-/g, '')
      .replaceAll(/\bevt_[\dA-Z]{26}/g, 'evt_01J9ZZZZZZZZZZZZZZZZZZZZZZ')
      .replaceAll(/\b(?!01920000)[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, placeholder(99))
      .replaceAll(/\b[\da-f]{32}\b/g, '0123456789abcdef0123456789abcdef')
      .replaceAll(/\b(hg_[a-z]+_|whsec_)[\w+/=-]{20,}/g, '$1…')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T12:00:00.000Z');
}

const shortened = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, 2).map(shortened)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member)]))
      : typeof value === 'string' && value.length > 100
        ? `${value.slice(0, 100)}…`
        : value;

/** The part of the page about a route. */
function sectionOf(route: RouteDefinition, { status, headers, text }: Answer, estate: Estate): string {
  const plain = plainly(estate);
  const named = keyOf(route);
  const body = bodyOf(route, estate);
  const ids = { ...estate.ours.ids, ...ORDINALS };
  const path = plain(filled(route, ids)).replace(placeholder(0), '$PROJECT') + (QUERIES[route.name] ?? '');
  const implied = body === undefined ? 'GET' : 'POST';
  const words = [
    `curl ${route.method === implied ? '' : `-X ${route.method} `}"$HOST${path}"`,
    ...(named === null ? [] : [`-H "Authorization: Bearer $${named}"`]),
    ...Object.entries(HEADERS[route.name] ?? {}).map(([name, value]) => `-H "${name}: ${plain(value)}"`),
    ...(body === undefined ? [] : [`--json '${plain(body)}'`]),
  ];
  const type = headers.get('content-type') ?? '';
  const isShown = type.startsWith('application/json') && text.length < LONGEST;
  const shown = isShown ? JSON.stringify(shortened(JSON.parse(plain(text))), null, 2) : null;
  return [
    `### ${route.method} ${route.path}\n\n${route.summary}.\n`,
    `\`\`\`sh\n${words.join(' \\\n  ')}\n\`\`\`\n`,
    `${status}${shown !== null ? ':' : type === '' ? '.' : `, \`${type}\`.`}\n`,
    ...(shown === null ? [] : [`\`\`\`json\n${shown}\n\`\`\`\n`]),
  ].join('\n');
}

const JSON_BLOCK = /```json\n([\s\S]*?)```/;

/** Pointers to the members that differ; null stands for anything, and lists are as their first items. */
function differences(a: unknown, b: unknown, at = ''): readonly string[] {
  if (a === null || b === null) return [];
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length > 0 && b.length > 0 ? differences(a[0], b[0], `${at}/0`) : [];
  }
  if (typeof a !== typeof b || Array.isArray(a) !== Array.isArray(b)) return [at];
  if (typeof a !== 'object') return [];
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return keys.flatMap((key) =>
    key in one && key in other ? differences(one[key], other[key], `${at}/${key}`) : [`${at}/${key}`],
  );
}

test('every route answers as the page says', async () => {
  const [sqlite] = databases();
  const estate = await estateOn(await sqlite!.open());
  const answers = await callAll(estate);
  const answerOf = ({ name }: RouteDefinition): Answer => answers.get(name)!;
  const failed = routes.filter((route) => answerOf(route).status !== statusOf(route));
  expect(failed.map((route) => [route.name, answerOf(route).status, answerOf(route).text])).toEqual([]);
  const sections = routes.map((route) => sectionOf(route, answerOf(route), estate));
  if (env.WRITE === '1') {
    const parts = titled.map((group) =>
      [`## ${group.title}\n`, ...group.routes.map((route) => sections[routes.indexOf(route)])].join('\n'),
    );
    writeFileSync(PAGE, [HEAD, ...parts].join('\n'));
  }
  const page = readFileSync(PAGE, 'utf8').split(/^(?=##)/m);
  for (const [i, fresh] of sections.entries()) {
    const [heading] = fresh.split('\n');
    const written = page.find((section) => section.startsWith(`${heading}\n`)) ?? '';
    expect(written.replace(JSON_BLOCK, '').trim()).toBe(fresh.replace(JSON_BLOCK, '').trim());
    const [a, b] = [written, fresh].map(
      (text) => JSON.parse(JSON_BLOCK.exec(text)?.[1] ?? 'null') as unknown,
    );
    expect([routes[i]?.name, differences(a, b)]).toEqual([routes[i]?.name, []]);
  }
});
