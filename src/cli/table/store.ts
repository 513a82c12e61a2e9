/** Commands on a store of deliveries. */
import { json, schema, store } from './common.js';
import type { Spec } from './spec.js';

const ADDRESSES =
  'STORE is the path of a SQLite file, or a URL such as postgres://user@host/database. Postgres needs the package pg: install it beside headgate. Keep a password out of the command line: give the address in HEADGATE_STORE, or the password in PGPASSWORD.';

export const migrateSpec = {
  name: 'migrate',
  summary: 'Make the tables of a store, or bring them up to date',
  details: [
    'Any number of processes may run it at once. If there is nothing to do, it changes nothing.',
    ADDRESSES,
  ],
  args: store,
  options: { schema, json },
  examples: [
    { shows: 'Make the tables in a file', command: 'headgate migrate deliveries.db' },
    { shows: 'Upgrade before a new version starts', command: 'headgate migrate "$DATABASE_URL"' },
  ],
} as const satisfies Spec;

const filter = {
  id: { type: 'text', value: 'ID', many: true, description: 'This delivery. May be given several times.' },
  endpoint: { type: 'text', value: 'ID', description: 'To this endpoint.' },
  type: { type: 'text', value: 'TYPE', description: 'Events of this type.' },
  from: { type: 'instant', value: 'TIME', description: 'Failed at this time or later.' },
  before: { type: 'instant', value: 'TIME', description: 'Failed before this time.' },
} as const;

export const listSpec = {
  name: 'dead-letters list',
  summary: 'List deliveries that failed for good',
  details: ['Newest failure first. A delivery must meet all the conditions that you give.', ADDRESSES],
  args: store,
  options: {
    ...filter,
    limit: {
      type: 'count',
      value: 'COUNT',
      min: 1,
      max: 1_000_000_000,
      default: 100,
      description: 'The maximum number to list.',
    },
    schema,
    json,
  },
  examples: [
    { shows: 'The last failures', command: 'headgate dead-letters list deliveries.db' },
    {
      shows: 'Count failures by cause',
      command:
        'headgate dead-letters list deliveries.db --limit 100000 --json | jq -r .last_attempt.outcome.failure | sort | uniq -c',
    },
  ],
} as const satisfies Spec;

export const countSpec = {
  name: 'dead-letters count',
  summary: 'Count deliveries that failed for good',
  details: ['A delivery must meet all the conditions that you give.', ADDRESSES],
  args: store,
  options: { ...filter, schema, json },
  examples: [
    {
      shows: 'Count the failures of one endpoint since a given day',
      command:
        'headgate dead-letters count deliveries.db --endpoint 6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a11 --from 2026-01-31',
    },
  ],
} as const satisfies Spec;

export const redeliverSpec = {
  name: 'dead-letters redeliver',
  summary: 'Redeliver what failed for good',
  details: [
    'Each leaves the dead-letter queue, and a new delivery of its event, with origin replay, is due at once; a scheduler that runs on the store sends it. Requires a condition, or --all.',
    'One action redelivers a delivery once: if the command may have been interrupted, run it again with the same --action.',
    ADDRESSES,
  ],
  args: store,
  options: {
    ...filter,
    all: { type: 'flag', description: 'All of them. Only without conditions.' },
    action: {
      type: 'text',
      value: 'NAME',
      description: 'The name of this action. Default: a new name, which is printed.',
    },
    schema,
    json,
  },
  examples: [
    {
      shows: 'Redeliver what one endpoint missed during an outage',
      command:
        'headgate dead-letters redeliver deliveries.db --endpoint 6f1d7f5e-4c0b-4d0e-9a54-0d2f3f1f8a11 --from 2026-01-31T10:00:00Z --before 2026-01-31T12:00:00Z',
    },
    {
      shows: 'Redeliver everything',
      command: 'headgate dead-letters redeliver deliveries.db --all --action outage-31',
    },
  ],
} as const satisfies Spec;

export const retentionSpec = {
  name: 'retention',
  summary: 'Delete finished deliveries that are old',
  details: [
    'Deletes deliveries that finished before a time, with their attempts, and bodies that are no longer needed, in many short transactions. Dead letters stay until they are redelivered or discarded. Give --older-than or --before.',
    'Enqueueing a deleted delivery again makes a new one: keep them for as long as a host may enqueue an event again.',
    ADDRESSES,
  ],
  args: store,
  options: {
    'older-than': { type: 'duration', value: 'TIME', description: 'Finished longer ago than this.' },
    before: { type: 'instant', value: 'TIME', description: 'Finished before this time.' },
    batch: {
      type: 'count',
      value: 'COUNT',
      min: 1,
      max: 100_000,
      default: 1_000,
      description: 'The maximum number of rows that one transaction deletes.',
    },
    schema,
    json,
  },
  examples: [
    { shows: 'Every night, from a timer', command: 'headgate retention deliveries.db --older-than 30d' },
    {
      shows: 'Delete what finished before a given day',
      command: 'headgate retention "$DATABASE_URL" --before 2026-01-01',
    },
  ],
} as const satisfies Spec;
