/** Options that several commands have. */

export const json = {
  type: 'flag',
  description: 'Print JSON for programs, one object per line.',
} as const;

export const asBody = {
  type: 'flag',
  description: 'Treat each object in EVENTS as the body of a webhook: it becomes `data.body` of an event.',
} as const;

export const secrets = {
  secret: {
    type: 'text',
    value: 'TEXT',
    many: true,
    secret: true,
    description:
      'The signing secret; give several during a rotation, oldest first. Other users of the machine can see it while the command runs: prefer a file, or HEADGATE_SECRET.',
  },
  'secret-file': {
    type: 'text',
    value: 'FILE',
    many: true,
    description: 'A file with a secret. A line break at its end is ignored.',
  },
} as const;

export const brand = {
  type: 'text',
  value: 'NAME',
  default: 'Svc',
  description: 'The prefix of the header names.',
} as const;

export const scheme = {
  type: 'text',
  value: 'SCHEME',
  choices: ['svc', 'standard_webhooks', 'both'],
  default: 'svc',
  description: 'The signature to send: Svc-Signature, that of Standard Webhooks, or both.',
} as const;

export const maxAge = {
  type: 'duration',
  value: 'TIME',
  default: '300s',
  description: 'The greatest age of a delivery that is accepted.',
} as const;

/** The contents of the headers of a delivery. */
export const details = {
  'event-id': {
    type: 'text',
    value: 'ID',
    description: 'The event id. Default: the `id` in the body, if it is JSON that has one.',
  },
  'event-type': {
    type: 'text',
    value: 'TYPE',
    description: 'The event type. Default: the `type` in the body, if it is JSON that has one.',
  },
  origin: {
    type: 'text',
    value: 'ORIGIN',
    choices: ['live', 'replay'],
    default: 'live',
    description: 'The origin: replay means that a person sent the event again.',
  },
  timestamp: {
    type: 'instant',
    value: 'TIME',
    description: 'The time to sign with, in ISO 8601 or Unix seconds. Default: now.',
  },
} as const;

export const body = {
  optional: true,
  description: 'a file with the raw body, or - for standard input, which is the default',
} as const;

export const rulesFile = {
  description: 'a file with one rule or an array of them, as JSON, or - for standard input',
} as const;

const EVENTS =
  'a file with events, or - for standard input: one JSON document, an array, or one event per line (NDJSON)';

export const events = { description: EVENTS } as const;
export const eventsOrStdin = {
  optional: true,
  description: `${EVENTS}; the default is standard input`,
} as const;

export const store = {
  STORE: {
    optional: true,
    description:
      'the path of a SQLite file, or the URL of a Postgres database; the default is HEADGATE_STORE',
  },
} as const;

export const schema = {
  type: 'text',
  value: 'NAME',
  default: 'headgate',
  description: 'The schema of the tables in Postgres.',
} as const;
