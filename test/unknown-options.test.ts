/** No exported function takes an option that nobody reads: it would be a slip of the pen that nobody sees. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as http from '../src/adapters/http/index.js';
import * as memory from '../src/adapters/memory/index.js';
import * as opentelemetry from '../src/adapters/opentelemetry/index.js';
import * as postgres from '../src/adapters/postgres/index.js';
import * as sqlite from '../src/adapters/sqlite/index.js';
import * as client from '../src/client/index.js';
import * as delivery from '../src/delivery/index.js';
import * as door from '../src/index.js';
import * as re2Wasm from '../src/patterns/re2-wasm/index.js';
import * as publisher from '../src/publisher/index.js';
import * as receiver from '../src/receiver/index.js';
import * as signing from '../src/signing/index.js';
import * as web from '../src/signing/web.js';
import * as testing from '../src/testing/index.js';
import { liveDelivery, NOW } from './delivery/arbitraries.js';

const paths: Readonly<Record<string, object>> = {
  ...{
    headgate: door,
    http,
    memory,
    opentelemetry,
    postgres,
    publisher,
    receiver,
    sqlite,
    client,
    delivery,
    re2Wasm,
    signing,
    web,
    testing,
  },
};

/** Everything that is wrong and everything that is needed, so that nothing else can be missing. */
const wrong = (needed?: object): never => ({ ...needed, misspelled: 1 }) as never;
const event = { id: 'evt_1', type: 'webhook.received', data: {} };
const decision = { outcome: 'deliver' as const, event, endpointIds: null };
const match = { path: 'id', op: 'exists' as const };
const secrets = 'whsec_test';
const scheduler = (): delivery.Scheduler =>
  delivery.createScheduler({
    store: memory.createMemoryStore(),
    transport: { send: () => Promise.reject(new Error()), close: () => Promise.resolve() },
    endpoints: () => null,
    signer: signing.createSigner({ secrets }),
  });

/** Calls with an option too many, of each function that takes options, and of what it makes. */
const calls: Readonly<Record<string, () => unknown>> = {
  'headgate.compareRules': () => door.compareRules([], [], wrong()),
  'headgate.compileMatch': () => door.compileMatch(match, wrong()),
  'headgate.compileTransform': () => door.compileTransform([], wrong()),
  'headgate.compileRules': () => door.compileRules([], wrong()),
  'headgate.compileRules().update': () => door.compileRules([]).update(wrong()),
  'headgate.dryRun': () => door.dryRun(door.ruleTemplates[0]?.rule as door.Rule, [], wrong()),
  'headgate.explainMatch': () => door.explainMatch(match, event, wrong()),
  'headgate.findEvent': () => door.findEvent(match, wrong()),
  'headgate.importRules': () => door.importRules('[]', wrong({ remaining: 1, newId: () => 'a' })),
  'headgate.lintRules': () => door.lintRules([], wrong()),
  'http.createLookup': () => http.createLookup(wrong()),
  'http.createHttpTransport': () => http.createHttpTransport(wrong()),
  'http.checkUrl': () => http.checkUrl('https://example.com', wrong()),
  'memory.createMemoryStore': () => memory.createMemoryStore(wrong()),
  'memory.createMemoryStore().deadLetters.list': () =>
    memory.createMemoryStore().deadLetters.list({}, wrong()),
  'memory.createMemoryStore().deadLetters.redeliver': () =>
    memory.createMemoryStore().deadLetters.redeliver({}, wrong({ at: NOW, replay: 'x' })),
  'opentelemetry.createTelemetry': () => opentelemetry.createTelemetry(wrong()),
  'postgres.createPostgresStore': () =>
    postgres.createPostgresStore(wrong({ pool: { query: () => undefined, connect: () => undefined } })),
  'sqlite.openSqlite': () => sqlite.openSqlite(wrong({ path: ':memory:' })),
  'sqlite.createSqliteStore': () => sqlite.createSqliteStore(wrong({ path: ':memory:' })),
  'sqlite.createSqliteStore().deleteFinished': () =>
    sqlite.createSqliteStore({ path: ':memory:' }).deleteFinished(wrong({ before: NOW })),
  'client.createClient': () =>
    client.createClient(wrong({ url: 'http://127.0.0.1', project: 'p1', key: 'hg_test' })),
  'client.createClient().close': async () => {
    const made = client.createClient({ url: 'http://127.0.0.1:9', project: 'p1', key: 'hg_test' });
    const refused = await refusalOf(() => made.close(wrong()));
    await made.close();
    throw refused;
  },
  'publisher.createPublisher': () =>
    publisher.createPublisher(wrong({ url: 'http://127.0.0.1:9', project: 'p1', key: 'hg_test' })),
  'publisher.createPublisher().publish': () =>
    publisher
      .createPublisher({ url: 'http://127.0.0.1:9', project: 'p1', key: 'hg_test' })
      .publish(event, wrong()),
  'receiver.createReceiver': () => receiver.createReceiver(wrong({ secrets, handle: () => undefined })),
  'receiver.createMemorySeenStore': () => receiver.createMemorySeenStore(wrong({ maxKeys: 1 })),
  'delivery.createDispatch': () => delivery.createDispatch(decision, [], wrong({ at: NOW })),
  'delivery.fanOut': () => delivery.fanOut(decision, [], wrong({ at: NOW })),
  'delivery.newDelivery': () => delivery.newDelivery(event, 'a', wrong({ at: NOW })),
  'delivery.redelivery': () =>
    delivery.redelivery(liveDelivery('evt_1', 'a'), wrong({ at: NOW, replay: 'x' })),
  'delivery.createScheduler': () => delivery.createScheduler(wrong()),
  'delivery.createScheduler().stop': () => scheduler().stop(wrong()),
  'opentelemetry.continueTrace': () =>
    opentelemetry.continueTrace(null, wrong({ name: 'handle' }), () => undefined),
  'delivery.parseDeadLetterFilter': () => delivery.parseDeadLetterFilter(wrong()),
  'delivery.parseDiscardFilter': () => delivery.parseDiscardFilter(wrong({ ids: [] })),
  'signing.createSigner': () => signing.createSigner(wrong({ secrets })),
  'signing.createVerifier': () => signing.createVerifier(wrong({ secrets })),
  'web.createSigner': () => web.createSigner(wrong({ secrets })),
  'web.createVerifier': () => web.createVerifier(wrong({ secrets })),
  'testing.compileReferenceRules': () => testing.compileReferenceRules([], wrong()),
  'testing.createSignedRequest': () => testing.createSignedRequest(wrong({ secrets })),
  'testing.createRecordingReceiver': () => testing.createRecordingReceiver(wrong()),
  'testing.receiverContract': () => testing.receiverContract(wrong({ secrets, send: () => 204 })),
  'testing.createArbitraries': () => testing.createArbitraries(fc, wrong()),
  'testing.createArbitraries().rules': () => testing.createArbitraries(fc).rules(wrong()),
  'testing.createArbitraries().encounter': () => testing.createArbitraries(fc).encounter(wrong()),
  'testing.columnsContract': () => testing.columnsContract(wrong()),
  'testing.createManualClock': () => testing.createManualClock(wrong()),
  'testing.createScriptedTransport': () => testing.createScriptedTransport(wrong(), wrong()),
  'testing.deadLettersContract': () => testing.deadLettersContract(wrong()),
  'testing.deletionContract': () => testing.deletionContract(wrong()),
  'testing.dueDatesContract': () => testing.dueDatesContract(wrong()),
  'memory.createMemoryStore().makeDue': () =>
    memory.createMemoryStore().makeDue({ endpointId: 'a' }, wrong({ at: NOW })),
  'testing.deliveryStoreContract': () => testing.deliveryStoreContract(wrong()),
  'testing.orderingContract': () => testing.orderingContract(wrong()),
  'testing.retentionContract': () => testing.retentionContract(wrong()),
};

/** Values of any shape, policies and records among them, which may have more members than are read. */
const takeNone = new Set([
  ...['headgate.parseJson', 'headgate.stringifyJson'],
  ...['headgate.assertRuleQuota', 'headgate.checkPattern', 'headgate.diffJson', 'headgate.exportRules'],
  ...[
    'headgate.parseRule',
    'headgate.parseRuleDocument',
    'headgate.validateRule',
    'headgate.validateRuleDocument',
  ],
  ...[
    'delivery.assertDispatches',
    'delivery.assertRetryPolicy',
    'delivery.byteBudget',
    'delivery.deliveryId',
  ],
  ...['delivery.coversTopic', 'delivery.topicEntries', 'delivery.traceparentOf'],
  ...['delivery.eventBody', 'delivery.retryDelaySeconds', 'delivery.retrySchedule', 'delivery.transition'],
  ...['postgres.postgresTransaction', 'postgres.storeErrorOf', 'sqlite.storeErrorOf'],
  ...['postgres.postgresMigrations', 're2Wasm.createRe2WasmEngine'],
]);

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value));
const exported = Object.entries(paths).flatMap(([path, names]) =>
  Object.entries(names)
    .filter(([, value]) => typeof value === 'function' && !isClass(value as object))
    .map(([name]) => `${path}.${name}`),
);

test('every function that is exported is here, with a call or among those that take no options', () => {
  const known = [...Object.keys(calls).filter((name) => !name.includes('(')), ...takeNone];
  expect(exported.toSorted()).toEqual(known.toSorted());
});

describe.for(Object.entries(calls))('%s', ([, call]) => {
  test('refuses an option that it does not know, and says what to give', async () => {
    const refused = await refusalOf(call);
    expect(refused).toMatchObject({ name: 'OptionError', code: 'invalid_option' });
    expect(String(refused)).toMatch(/give|use|takes|Known here/);
  });
});

/** The error that a call throws or rejects with. */
async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

test.for<[what: string, call: () => unknown, says: string]>([
  [
    'a clock that starts at text',
    () => testing.createManualClock('x' as never),
    'startAt is a string: give whole',
  ],
  ['a clock without an instant', () => testing.createManualClock(NaN), 'startAt is NaN: give whole'],
  ['a name server by its name', () => http.createLookup({ servers: ['dns'] }), 'such as 192.0.2.1'],
  ['one name server', () => http.createLookup({ servers: '192.0.2.1' as never }), 'give an array of text'],
  ['a transport of text', () => http.createHttpTransport('x' as never), 'give one object of options (allow'],
  ['a transport of nothing', () => http.createHttpTransport(null as never), 'not null'],
  ['a tracer for a meter', () => opentelemetry.createTelemetry({ meter: {} as never }), 'give a meter'],
  ['no fast-check', () => testing.createArbitraries({} as never), 'fast-check'],
  ['half an event', () => testing.createArbitraries(fc).encounter({ maxEvents: 0 }), 'an integer from 1'],
])('%s is refused', async ([, call, says]) => {
  expect(await refusalOf(call)).toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(says),
  });
});
