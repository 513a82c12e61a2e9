/**
 * The table of programs that are bundled: what a program imports, what it does with it, and how large its bundle may
 * be.
 */

/** The platform that a bundle runs on. */
export type Platform = 'browser' | 'server';

/** A program that is bundled. */
export interface Case {
  /** The names, as an import statement lists them. */
  readonly names: string;
  readonly from: string;
  /** The body of an asynchronous function, which returns `right` where all is well. */
  readonly does: string;
  /**
   * Largest size that the bundle of any bundler may have where it belongs, minified and gzipped, in kB of 1,000 bytes.
   */
  readonly limitsKb: Readonly<Partial<Record<Platform, number>>>;
}

const RULE = `const rule = {
  id: '1', name: 'r', stage: 'deliver', priority: 1, match: { path: 'data.text', op: 'matches', value: '(?i)a+b' },
  action: { type: 'tag', tags: ['right'] },
};`;
const EVENT = `{ id: 'evt_1', type: 't', data: { text: 'xAAb' } }`;

const COMPILE = `${RULE} return compileRules([rule]).evaluate(${EVENT}).tags[0];`;

const VERIFY = `const verify = createVerifier({ secrets: 'whsec_test', now: () => 1700000000 });
  const mac = '38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789';
  const headers = { 'Svc-Event-Id': 'evt_1', 'Svc-Event-Type': 't', 'Svc-Timestamp': '1700000000',
    'Svc-Origin': 'live', 'Svc-Signature': 't=1700000000,v1=' + mac };
  return (await verify('{"a":1}', headers)).eventId === 'evt_1' && 'right';`;

export const cases: readonly Case[] = [
  { names: 'compileRules', from: 'headgate', does: COMPILE, limitsKb: { browser: 101, server: 102.5 } },
  {
    names: 'validateRule',
    from: 'headgate',
    does: `return validateRule({}).ok ? 'wrong' : 'right';`,
    limitsKb: { browser: 20.7, server: 22.3 },
  },
  {
    names: 'diffJson',
    from: 'headgate',
    does: `return diffJson({ a: 1 }, { a: 2 })[0].path === 'a' && 'right';`,
    limitsKb: { browser: 2.8, server: 4.3 },
  },
  { names: 'compileRules', from: 'headgate/slim', does: COMPILE, limitsKb: { browser: 51.7, server: 53.2 } },
  { names: 'createVerifier', from: 'headgate/signing', does: VERIFY, limitsKb: { server: 5.3 } },
  {
    names: 'createVerifier',
    from: 'headgate/signing/web',
    does: VERIFY,
    limitsKb: { browser: 3.9, server: 5.4 },
  },
  {
    names: 'createReceiver',
    from: 'headgate/receiver',
    does: `const { fetch } = createReceiver({ secrets: 'whsec_test', handle: () => {}, onError: () => {} });
  const answer = await fetch(new Request('https://example.com', { method: 'POST', body: '{}' }));
  return answer.status === 400 && 'right';`,
    limitsKb: { browser: 7, server: 8.8 },
  },
  {
    names: 'createPublisher',
    from: 'headgate/publisher',
    does: `const answer = () => Promise.resolve(new Response('{"id":"evt_1"}', { status: 202 }));
  const options = { url: 'https://example.com', project: 'p', key: 'hg_test', fetch: answer };
  return (await createPublisher(options).publish({ type: 'a', data: {} })).id === 'evt_1' && 'right';`,
    limitsKb: { browser: 3, server: 4.2 },
  },
  {
    names: 'createClient',
    from: 'headgate/client',
    does: `class Silent { send() {} close() {} }
  const client = createClient({ url: 'https://example.com', project: 'p', key: 'hg_test', WebSocket: Silent });
  await client.close({ waitMs: 0 });
  return (await client.closed) === null && 'right';`,
    limitsKb: { browser: 6.4, server: 7.9 },
  },
  {
    names: 'createDispatch, createScheduler',
    from: 'headgate/delivery',
    does: `const store = {};
  try { createScheduler({ store }); } catch (error) { return error.code === 'invalid_option' && 'right'; }`,
    limitsKb: { browser: 14.5, server: 17.9 },
  },
  {
    names: 'createMemoryStore',
    from: 'headgate/memory',
    does: `return (await createMemoryStore().deadLetters.count({})) === 0 && 'right';`,
    limitsKb: { browser: 9.9, server: 13.4 },
  },
  {
    names: 'createTelemetry',
    from: 'headgate/opentelemetry',
    does: `return typeof createTelemetry() === 'object' && 'right';`,
    limitsKb: { browser: 6.8, server: 9.7 },
  },
  {
    names: 'createSqliteStore',
    from: 'headgate/sqlite',
    does: `const store = createSqliteStore({ path: ':memory:' });
  const count = await store.deadLetters.count({});
  await store.close();
  return count === 0 && 'right';`,
    limitsKb: { server: 22.7 },
  },
  {
    names: 'createPostgresStore, postgresMigrations',
    from: 'headgate/postgres',
    does: `const pool = { query() {}, connect() {} };
  return postgresMigrations('hg').length > 0 && createPostgresStore({ pool }).claim !== undefined && 'right';`,
    limitsKb: { server: 27.8 },
  },
  {
    names: 'createHttpTransport',
    from: 'headgate/http',
    does: `const transport = createHttpTransport();
  const request = { url: 'http://127.0.0.1:9/', headers: {}, body: new Uint8Array(1) };
  const outcome = await transport.send(request, new AbortController().signal);
  await transport.close();
  return outcome.failure === 'address_refused' && 'right';`,
    limitsKb: { server: 186 },
  },
  {
    names: 'createRe2WasmEngine',
    from: 'headgate/re2-wasm',
    does: `return createRe2WasmEngine().compile('a+b').test('xaab') && 'right';`,
    limitsKb: { server: 3.3 },
  },
  {
    names: 'createManualClock, deliveryStoreContract',
    from: 'headgate/testing',
    does: `const cases = deliveryStoreContract(() => { throw new Error(); });
  return createManualClock().now() > 0 && cases.length > 20 && 'right';`,
    limitsKb: { server: 23 },
  },
];

/** The cases that belong there. */
export const casesOn = (platform: Platform): readonly Case[] =>
  cases.filter(({ limitsKb }) => limitsKb[platform] !== undefined);

/** The name of a case's files. */
export const slugOf = ({ names, from }: Case): string =>
  `${from}-${names}`.replaceAll(/[^a-zA-Z0-9]+/g, '-').toLowerCase();

/** The import, as the table shows it. */
export const titleOf = ({ names, from }: Case): string => `\`{ ${names} } from '${from}'\``;
