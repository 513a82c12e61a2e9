/**
 * No request blocks the process: every route of the table gets the worst queries and bodies that fit, made from its
 * schemas. Nothing counts the work of a whole request, so the processor time of the main thread is compared with that
 * of `JSON.parse` of the same body. The bound is far above the usual, and quadratic work is far above the bound.
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { definitions } from '../../src/api-table.js';
import { jsonSchemaOf } from '../../src/api/json-schema.js';
import type { RouteDefinition } from '../../src/api/route.js';
import { databases } from '../db/databases.js';
import { type Estate, estateOn, filled, OPERATOR_KEY } from './estate.js';

const MOST_TIMES = 30;
/** Routes whose work has another bound, with a reason. */
const MORE_TIMES: Readonly<Record<string, number>> = {
  // Names the problem of each entry, up to the ten million characters of a report.
  importRules: 150,
};
/** The least time of a request that has nothing to do. */
const LEAST_MS = 3;
const TRIES = 3;
const MAX_BODY = 200_000;

/** Texts of a member, of about this many characters. */
const WORST: Readonly<Record<string, (units: number) => string>> = {
  'a deep list': (units) => '['.repeat(units / 2) + ']'.repeat(units / 2),
  'a deep tree': (units) => '{"all":['.repeat(units / 10) + ']}'.repeat(units / 10),
  zeros: (units) => `[${'0,'.repeat(units / 2)}0]`,
  'misspelled leaves': (units) =>
    `{"all":[${list(units / 36, () => '{"path":"a","op":"eqals","value":1}')}]}`,
  'many members': (units) => `{${list(units / 10, (i) => `"m${i.toString(36)}":1`)}}`,
  'a key that repeats': (units) => `{${list(units / 6, () => '"a":1')}}`,
  'a long text': (units) => `"${'x'.repeat(units)}"`,
  'a text of dots': (units) => `"${'a.'.repeat(units / 2)}"`,
  'open brackets': (units) => `"${'('.repeat(units)}"`,
};
const list = (length: number, of: (i: number) => string): string =>
  Array.from({ length: Math.floor(length) }, (_, i) => of(i)).join();
const NAMES = list(3_700, (i) => i.toString(36).padStart(3, '0')).replaceAll(',', '&');

/** The worst text as the whole body, and in each member that the schema has. */
function bodiesOf(
  { body, maxBytes = MAX_BODY }: RouteDefinition,
  worst: (units: number) => string,
): string[] {
  if (body === undefined) return [];
  const size = Math.min(maxBytes, MAX_BODY);
  const { properties = {} } = (body === 'raw' ? {} : jsonSchemaOf(body, 'in').schema) as {
    readonly properties?: object;
  };
  const names = [...Object.keys(properties), 'match', 'action'];
  const part = worst(size / names.length - 50);
  return [worst(size - 100), `{${names.map((name) => `"${name}":${part}`).join()}}`];
}

/** Milliseconds of processor that this thread has used: those of other threads block nobody. */
const used = (): number =>
  process.platform === 'linux'
    ? Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
    : performance.now();

async function msOf(work: () => unknown): Promise<number> {
  const before = used();
  await work();
  return used() - before;
}

/**
 * How many times as long as `JSON.parse` a request takes. One that takes long is tried again, since the machine may be
 * busy.
 */
async function timesOf(send: () => Promise<unknown>, body: string): Promise<number> {
  const parsing = Math.max(await msOf(() => JSON.parse(body)), LEAST_MS);
  let times = Infinity;
  for (let i = 0; i < TRIES && times > MOST_TIMES; i++) {
    times = Math.min(times, (await msOf(send)) / parsing);
  }
  return times;
}

const [sqlite] = databases();

/** A project of its own for each request: the bytes that one may send have a bound, which would hide the work. */
async function freshProject({ send }: Estate): Promise<string> {
  const { text } = await send('POST', '/projects', {
    key: OPERATOR_KEY,
    body: '{"name":"a","plan":"scale"}',
  });
  return (JSON.parse(text) as { project: { id: string } }).project.id;
}

describe('a request', () => {
  test('with the worst body costs its route little more than to parse it', async () => {
    const estate = await estateOn(await sqlite!.open());
    const found: string[] = [];
    for (const route of definitions.filter(({ body }) => body !== undefined)) {
      for (const [name, worst] of Object.entries(WORST)) {
        for (const body of bodiesOf(route, worst)) {
          const send = async (): Promise<unknown> => {
            const path = filled(route, { ...estate.ours.ids, project });
            return estate.send(route.method, path, { key: OPERATOR_KEY, body });
          };
          const project = await freshProject(estate);
          const times = await timesOf(send, body);
          if (times > (MORE_TIMES[route.name] ?? MOST_TIMES)) {
            found.push(`${route.name}, ${name}: ${times.toFixed(0)} times`);
          }
        }
      }
    }
    expect(found).toEqual([]);
  });

  test('with thousands of names in its query costs its route little', async () => {
    const estate = await estateOn(await sqlite!.open());
    const found: string[] = [];
    for (const route of definitions.filter(({ query }) => query !== undefined)) {
      const path = `${filled(route, estate.ours.ids)}?${NAMES}`;
      const { status } = await estate.send(route.method, path, { key: OPERATOR_KEY });
      if (status !== 400) found.push(`${route.name}: ${status}`);
    }
    expect(found).toEqual([]);
  });

  test('that does quadratic work is found', async () => {
    const body = WORST.zeros!(40_000);
    const quadratic = () => {
      const all = JSON.parse(body) as number[];
      return Promise.resolve(all.filter((_, i) => all.lastIndexOf(i + 1) < 0).length);
    };
    expect(await timesOf(quadratic, body)).toBeGreaterThan(MOST_TIMES);
  });
});
