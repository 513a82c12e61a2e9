/**
 * Every route, with requests made from its schemas and against them: no failure, no leak, no hang, and another project
 * untouched.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { definitions } from '../../src/api-table.js';
import { problemsOf, statusOf } from '../../src/api/declared.js';
import type { RouteDefinition } from '../../src/api/route.js';
import { RULE_SCHEMAS } from '../../src/api-docs/rule-schemas.js';
import { type ProblemCode, PROBLEMS } from '../../src/errors/problem.js';
import { databases } from '../db/databases.js';
import { type FuzzRequest, requests } from './arbitraries.js';
import { allRows, type Estate, estateOn, type Furnished, furnish, OPERATOR_KEY, ORIGIN } from './estate.js';

/** Requests to each database, from another seed each time; more by `npm run fuzz:host`. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 800);
/** Time for each request, from which the deadline of the whole follows. */
const REQUEST_MS = 200;
/** After this many requests, the attacking project is set up again, since much of it is deleted by then. */
const ROUND = 1_000;
/** A hundred times what the slowest answer takes. */
const DEADLINE_MS = 60_000;

/** Routes that show a secret once, to callers that may see it. */
const SHOWS_SECRETS = new Set([
  ...['createKey', 'createProject', 'revealSecrets', 'rotateSecret', 'signIn'],
  ...['revealEndpointSecrets', 'rotateEndpointSecret'],
]);
/** Matches a stack, SQL or a path of the service, none of which may be in an answer. */
const INTERNALS =
  /\bat \S+ \(|\.ts:\d|node_modules|SQLITE_|\b(?:select|insert into|update|delete from) \w+ (?:from|values|set|where)\b/;

const ajv = new Ajv2020({ strict: false, validateFormats: false });
for (const [name, schema] of Object.entries(RULE_SCHEMAS)) {
  ajv.addSchema(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"rules:')) as object,
    `rules:${name}`,
  );
}
/** An answer has the members that the table says, and no other. */
const conforms = new Map<string, ValidateFunction>();
for (const { name, answer } of definitions) {
  if (answer === undefined) continue;
  const schema = JSON.stringify(z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any' }));
  conforms.set(name, ajv.compile(JSON.parse(schema.replaceAll('"#/$defs/', '"rules:')) as object));
}

/** The answer to a request. */
interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One attacker on one host. */
interface Attack {
  readonly estate: Estate;
  readonly ours: Furnished;
  /** Ids of what was made last. */
  readonly latest: Record<string, string>;
}

const resolved = ({ latest, estate }: Attack, text: string): string =>
  text.replaceAll(
    /@(own|other):(\w+)/g,
    (_, whose: string, name: string) =>
      // The URL of a receiver lets anybody post to it, so theirs is not known.
      (whose === 'own' || name === 'token' ? latest : estate.theirs.ids)[name] ?? latest.endpoint ?? '',
  );

/** The request as fetch sends it; null if fetch itself refuses it. */
function built(attack: Attack, { method, path, caller, headers, body, manner }: FuzzRequest): Request | null {
  const { ours } = attack;
  const all = new Headers({ host: 'hooks.example.com' });
  if (caller === 'session') {
    all.set('cookie', ours.cookie);
    all.set('sec-fetch-site', 'same-origin');
  } else if (caller !== 'nobody') {
    all.set('authorization', `Bearer ${ours.keys[caller]}`);
  }
  if (body !== null) all.set('content-type', 'application/json');
  try {
    for (const [name, value] of headers) all.set(name, value);
    const bytes = body === null ? null : withIds(attack, body);
    const sendsBody = bytes !== null && !['GET', 'HEAD'].includes(method);
    return new Request(ORIGIN + resolved(attack, path), {
      method,
      headers: all,
      ...(sendsBody &&
        (manner === 'whole' ? { body: bytes } : { body: streamed(bytes, manner), duplex: 'half' as const })),
    });
  } catch {
    return null;
  }
}

/** Bodies that are not text have no ids. */
const withIds = (attack: Attack, body: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    body.length > 1_000
      ? body
      : Buffer.from(resolved(attack, Buffer.from(body).toString('latin1')), 'latin1'),
  );

const streamed = (bytes: Uint8Array, manner: 'pieces' | 'broken'): ReadableStream<Uint8Array> => {
  let at = 0;
  const size = Math.ceil(bytes.length / 3) || 1;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (manner === 'broken' && at > 0) controller.error(new Error('the caller went away'));
      else if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
};

async function answered({ estate }: Attack, request: Request): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  });
  const run = async (): Promise<Outcome> => {
    const response = await estate.host.fetch(request);
    const { status, headers } = response;
    // A stream of events has no end.
    if (headers.get('content-type')?.startsWith('text/event-stream') === true) {
      await response.body?.cancel();
      return { status, headers, text: '' };
    }
    return { status, headers, text: await response.text() };
  };
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** All that is wrong with an answer. */
function faults(
  { estate: { theirs }, ours }: Attack,
  { route, method }: FuzzRequest,
  outcome: Outcome,
  { url }: Request,
): string[] {
  const { status, headers, text } = outcome;
  const found: string[] = [];
  const told = text + JSON.stringify([...headers]);
  const hidden = [
    ...theirs.secrets,
    ...theirs.own.filter((one) => /^canary|^[\w-]{20,40}$/.test(one) && !isId(one)),
  ];
  if (!SHOWS_SECRETS.has(route.name)) hidden.push(...ours.secrets);
  found.push(
    ...[OPERATOR_KEY, ...hidden].filter((one) => told.includes(one)).map((one) => `it has ${one} in it`),
  );
  if (INTERNALS.test(text) && route.name !== 'referencePage') {
    found.push('it reveals how the service is made');
  }
  if (isOfPages(url)) return found;
  if (headers.get('x-request-id') === null) found.push('it has no request id');
  const isChosen = route.anyStatus === true && headers.get('content-type')?.startsWith('text/plain') === true;
  if (isChosen) return found;
  if (status >= 400) return [...found, ...problemFaults(route, method, outcome)];
  if (method !== route.method || !isOfRoute(route, url)) return found;
  const declared = [statusOf(route), route.alsoStatus, ...(route.cached === true ? [304] : [])];
  if (!declared.includes(status)) found.push(`status ${status} is not declared`);
  const check = conforms.get(route.name);
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  if (check !== undefined && isJson && !check(JSON.parse(text))) found.push(ajv.errorsText(check.errors));
  return found;
}

/** A path that a URL makes shorter, such as `/projects/..`, may be that of a page, which is not a route. */
const isOfPages = (url: string): boolean =>
  /^\/(?:sign-in|(?:dashboard|portal)(?:\/.*)?)?$/.test(new URL(url).pathname);

/** One that a URL makes shorter, such as `/alerts/./dismiss`, may be that of another route. */
const isOfRoute = ({ path }: RouteDefinition, url: string): boolean =>
  new URL(url).pathname.split('/').length === path.split('/').length;

/** A request as a report shows it. */
const shown = ({ body, headers, manner }: FuzzRequest, { url }: Request): string =>
  `${url.slice(0, 300)} ${JSON.stringify(headers)} ${manner} ${Buffer.from(body ?? [])
    .toString()
    .slice(0, 300)}`;

const isId = (text: string): boolean => /^[\da-f-]{36}$|^evt_/.test(text);

function problemFaults(route: RouteDefinition, method: string, { status, headers, text }: Outcome): string[] {
  if (headers.get('content-type') !== 'application/problem+json') return ['it is not a problem document'];
  if (method === 'HEAD') return [];
  const { code } = JSON.parse(text) as { code: ProblemCode };
  if (PROBLEMS[code][0] !== status) return [`${code} with the status ${status}`];
  if (status >= 500 && code !== 'overloaded' && code !== 'dry_run_timeout') return [`${code}: ${text}`];
  // A path that a URL makes shorter, such as `/a/../b`, may be that of another route, or of none.
  const isOfPath = code === 'method_not_allowed' || code === 'not_found';
  return isOfPath || method !== route.method || problemsOf(route).includes(code)
    ? []
    : [`${code} is not declared: ${text}`];
}

/** Keeps the id of what a request has made, for the requests that follow. */
function remember({ latest }: Attack, { route }: FuzzRequest, { status, text }: Outcome): void {
  if (status !== 201 && status !== 202) return;
  const made = /^(?:create|ingest|redeliver)(\w*)$/.exec(route.name)?.[1];
  if (made === undefined) return;
  const { id, redelivery } = JSON.parse(text) as { id?: string; redelivery?: { id: string } | null };
  if (redelivery !== undefined && redelivery !== null) latest.redelivery = redelivery.id;
  else if (id !== undefined) latest[route.name === 'ingest' ? 'event' : made.toLowerCase()] = id;
}

describe.each(databases())('$name', ({ open }) => {
  test(
    `${REQUESTS} requests fail nothing, tell nothing, hang nowhere, and leave the other project as it was`,
    async () => {
      const estate = await estateOn(await open(), true);
      const { theirs, db, send } = estate;
      const isTheirs = (row: string): boolean => Object.values(theirs.ids).some((id) => row.includes(id));
      // Matches are counted a moment after the decision.
      await expect.poll(() => db.all('select id from rule_matches')).toEqual([]);
      const before = (await allRows(db)).filter(isTheirs);
      const codes: Record<string, number> = {};
      const found = new Map<string, string>();
      const seed = process.env.FUZZ_SEED === undefined ? Date.now() % 1e9 : Number(process.env.FUZZ_SEED);
      for (let sent = 0; sent < REQUESTS; sent += ROUND) {
        const ours = sent === 0 ? estate.ours : await furnish(send, db, `ours-${sent}`);
        const attack: Attack = { estate, ours, latest: { ...ours.ids } };
        for (const one of fc.sample(requests(definitions), { numRuns: ROUND, seed: seed + sent })) {
          const request = built(attack, one);
          if (request === null) continue;
          const outcome = await answered(attack, request);
          codes[outcome.status] = (codes[outcome.status] ?? 0) + 1;
          for (const fault of faults(attack, one, outcome, request)) {
            const about = `${one.method} ${one.route.name} by ${one.caller}: ${fault}`;
            if (!found.has(about)) found.set(about, shown(one, request));
          }
          remember(attack, one, outcome);
        }
        expect([`seed ${seed}`, ...found].slice(0, 20)).toEqual([`seed ${seed}`]);
        const told = estate.log.join('');
        const leaked = [OPERATOR_KEY, ...theirs.secrets, ...ours.secrets].filter((secret) =>
          told.includes(secret),
        );
        expect(leaked).toEqual([]);
        estate.log.length = 0;
      }
      // The answers are of every kind, so the requests were, too.
      const kinds = [200, 201, 202, 204, 400, 401, 403, 404, 413, 415, 422];
      expect(kinds.filter((status) => codes[status] === undefined)).toEqual([]);
      const metrics = await send('GET', '/metrics', { key: OPERATOR_KEY });
      expect([...theirs.secrets, ...theirs.own].filter((secret) => metrics.text.includes(secret))).toEqual(
        [],
      );
      const after = (await allRows(db)).filter(isTheirs);
      expect(before.filter((row) => !after.includes(row))).toEqual([]);
      // Rows of our own may name an id of theirs that we have guessed, where it was part of what we asked for.
      const isOurs = (row: string): boolean =>
        /^(?:audit_log|bulk_actions|rules|idempotency_keys|received_requests) /.test(row) &&
        !row.includes(theirs.ids.project ?? '');
      expect(after.filter((row) => !before.includes(row) && !isOurs(row))).toEqual([]);
      // The host still works.
      await furnish(send, db, 'afterwards');
    },
    REQUESTS * REQUEST_MS + 100_000,
  );
});
