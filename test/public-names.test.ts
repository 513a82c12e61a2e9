/** The conventions that every public name keeps; CONTRIBUTING.md states them. */
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { readExports, type Export } from './exports.js';

const { exports, checker } = readExports();
const functions = exports.filter(({ returns }) => returns !== null);
const words = ({ name }: Export): string => name.slice(name.lastIndexOf('.') + 1);

const hasNull = (type: ts.Type): boolean =>
  type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0);

/** The kind of value that a function returns, by the verb that its name begins with. */
const verbs: Readonly<Record<string, (returned: ts.Type) => boolean>> = {
  validate: (returned) => returned.isUnion() && returned.types.every((one) => one.getProperty('ok')),
  parse: (returned) =>
    !returned.isUnion() && (returned.flags & (ts.TypeFlags.Object | ts.TypeFlags.Unknown)) !== 0,
  check: (returned) =>
    hasNull(returned) && checker.getNonNullableType(returned).getProperty('code') !== undefined,
  assert: (returned) => (returned.flags & ts.TypeFlags.Void) !== 0,
};

/** Other words for the same, which would leave a reader to guess. */
const FOREIGN = /^(?:ensure|verify|is[A-Z]|read|try|safe|test|guard|require)/;

describe('validate, parse, check and assert', () => {
  test.for(Object.keys(verbs))('%s returns what the convention says', (verb) => {
    const named = functions.filter((one) => new RegExp(`^${verb}[A-Z]`).test(words(one)));
    expect(named.length).toBeGreaterThan(0);
    const others = named.filter(({ returns }) => !verbs[verb]?.(returns as ts.Type));
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  test('no function goes by another verb', () => {
    expect(functions.filter((one) => FOREIGN.test(words(one))).map(({ name }) => name)).toEqual([]);
  });

  test('beside each validate there is a parse', () => {
    const names = new Set(functions.map(({ name }) => name));
    const alone = [...names].filter(
      (name) => name.includes('.validate') && !names.has(name.replace('.validate', '.parse')),
    );
    expect(alone).toEqual([]);
  });
});

/** The functions that people start with. */
const mostUsed = [
  ...['compileRules', 'compileMatch', 'compileTransform', 'explainMatch', 'validateRule', 'parseRule'].map(
    (name) => `index.${name}`,
  ),
  ...['parseJson', 'stringifyJson'].map((name) => `index.${name}`),
  ...[
    'dryRun',
    'exportRules',
    'importRules',
    'lintRules',
    'findEvent',
    'diffJson',
    'assertRuleQuota',
    'checkPattern',
  ].map((name) => `index.${name}`),
  ...['signing/index.createSigner', 'signing/index.createVerifier', 'signing/web.createVerifier'],
  'receiver/index.createReceiver',
  'publisher/index.createPublisher',
  'client/index.createClient',
  ...['delivery/index.createScheduler', 'delivery/index.createDispatch', 'delivery/index.retrySchedule'],
  ...['memory/index.createMemoryStore', 'sqlite/index.createSqliteStore', 'sqlite/index.openSqlite'],
  ...['postgres/index.createPostgresStore', 'http/index.createHttpTransport', 'http/index.checkUrl'],
  ...['opentelemetry/index.createTelemetry', 'testing/index.createManualClock'],
  ...['createArbitraries', 'createSignedRequest', 'createRecordingReceiver', 'receiverContract'].map(
    (name) => `testing/index.${name}`,
  ),
];

test.for(mostUsed)('%s has an example in its doc comment', (name) => {
  const found = exports.find((one) => one.name === name);
  expect(found?.tags).toContain('example');
});

test('random rules are marked experimental, and nothing else is', () => {
  const marked = exports.filter(({ tags }) => tags.includes('experimental')).map(({ name }) => name);
  expect(marked).toEqual(['testing/index.createArbitraries']);
});

test('headgate/testing exports what tests of its users name, and nothing that another entry has', () => {
  const names = (entry: string): string[] =>
    exports.filter(({ name }) => name.startsWith(`${entry}.`)).map(words);
  const elsewhere = new Set(['index', 'signing/index', 'delivery/index'].flatMap(names));
  const ours = names('testing/index');
  expect(ours.filter((name) => elsewhere.has(name))).toEqual([]);
  expect(ours.toSorted()).toEqual([
    ...['DeadLettersUnderTest', 'ManualClock', 'ReceivedRequest', 'ReceiverAnswer', 'RecordingReceiver'],
    ...['RecordingReceiverOptions', 'ScriptedAnswer', 'ScriptedTransport', 'SentAttempt', 'SignedRequest'],
    ...['SignedRequestFault', 'SignedRequestOptions', 'StoreUnderTest', 'columnsContract'],
    ...['compileReferenceRules', 'createArbitraries', 'createManualClock', 'createRecordingReceiver'],
    ...['createScriptedTransport', 'createSignedRequest', 'deadLettersContract', 'deletionContract'],
    ...['deliveryStoreContract', 'dueDatesContract', 'orderingContract', 'receiverContract'],
    'retentionContract',
  ]);
});
