/** Commands that sign and verify. */
import { body, brand, details, json, maxAge, scheme, secrets } from './common.js';
import type { Spec } from './spec.js';

export const signSpec = {
  name: 'sign',
  summary: 'Print the headers of a signed delivery',
  details: [
    'Signs a body, and prints the headers of its delivery. The signature covers the exact bytes of the body, including its last line break: send the very same file.',
    'For Standard Webhooks, a secret must be the base64 of 24 to 64 bytes, with or without whsec_ before it.',
  ],
  args: { BODY: body },
  options: { ...secrets, ...details, scheme, brand, json },
  examples: [
    { shows: 'Sign a file', command: 'headgate sign event.json --secret-file secret.txt' },
    {
      shows: 'Sign a file and send it with curl',
      command: 'headgate sign event.json | curl -H @- --data-binary @event.json http://localhost:3000/hooks',
    },
    {
      shows: 'Sign for a receiver that verifies with a library of Standard Webhooks',
      command: 'headgate sign event.json --scheme standard_webhooks',
    },
    {
      shows: 'Sign as it was at another time',
      command: 'headgate sign event.json --timestamp 2026-01-31T12:00:00Z --json',
    },
  ],
} as const satisfies Spec;

export const verifySpec = {
  name: 'verify',
  summary: 'Check whether a captured request is genuine, and if not, what is wrong',
  details: [
    'Reads a captured request, and says whether its body, its secret and its time are right. It tries the most common mistakes: a body that was parsed and serialized again, line breaks that were changed, a secret that was decoded or has blanks around it.',
    'REQUEST is a request as it was sent (header lines, an empty line, the body), or a JSON object with `headers` and `body`, as AWS Lambda functions get them. With --body, the headers come from --header. With REQUEST, a --header replaces the one in the file.',
  ],
  args: {
    REQUEST: {
      optional: true,
      description:
        'a file with the request, or - for standard input, which is the default unless --body is given',
    },
  },
  options: {
    ...secrets,
    body: { type: 'text', value: 'FILE', description: 'A file with the raw body, or - for standard input.' },
    header: {
      type: 'text',
      value: 'LINE',
      many: true,
      description: 'A header, as in --header "Svc-Signature: t=…,v1=…". May be given several times.',
    },
    at: {
      type: 'instant',
      value: 'TIME',
      description: 'When the request was received, in ISO 8601 or Unix seconds. Default: now.',
    },
    'max-age': maxAge,
    brand,
    json,
  },
  examples: [
    {
      shows: 'Verify a request in a file',
      command: 'headgate verify request.txt --secret-file secret.txt',
    },
    {
      shows: 'Verify a body and its headers',
      command:
        'headgate verify --body body.json --header "Svc-Timestamp: 1700000000" --header "Svc-Signature: t=1700000000,v1=…"',
    },
    {
      shows: 'Verify as of the time when the request arrived',
      command: 'headgate verify request.txt --at 2026-01-31T12:00:00Z',
    },
  ],
} as const satisfies Spec;

export const listenSpec = {
  name: 'listen',
  summary: 'Receive deliveries on this machine, or forward live events to an app on it',
  details: [
    'Listens for deliveries, verifies each, and answers as a real receiver does: 204 if it is genuine, 400 with the code if it is not. Prints a line for each request and one for its answer. Stop it with Ctrl-C.',
    'With --forward-to it opens no port. It connects to a host as an SDK client, and sends each event that the host processes from then on to your app, signed, once. It needs a key of the project with the scope `receive`, in HEADGATE_KEY. The options for listening have no effect then.',
    'Without a secret, it generates one for this run and prints it.',
  ],
  args: {},
  options: {
    ...secrets,
    port: {
      type: 'count',
      value: 'PORT',
      min: 0,
      max: 65_535,
      default: 8_787,
      description: 'The port; 0 for a free one.',
    },
    host: {
      type: 'text',
      value: 'ADDRESS',
      default: '127.0.0.1',
      description: 'The address to listen on; 0.0.0.0 for all addresses of this machine.',
    },
    answer: {
      type: 'count',
      value: 'STATUS',
      min: 200,
      max: 599,
      default: 204,
      description: 'The answer to genuine deliveries; 503, for example, to see retries.',
    },
    'max-age': maxAge,
    'forward-to': {
      type: 'text',
      value: 'URL',
      description:
        'Your app, such as http://localhost:3000/hooks: forward events to it instead of listening.',
    },
    from: {
      type: 'text',
      value: 'URL',
      default: 'http://localhost:8080',
      description: 'The host whose events are forwarded.',
    },
    scheme,
    brand,
    data: { type: 'flag', description: 'Also print the `data` of each event.' },
    json,
  },
  examples: [
    { shows: 'Listen with a generated secret', command: 'headgate listen' },
    {
      shows: 'Forward live events to an app on this machine',
      command:
        'HEADGATE_KEY=… headgate listen --forward-to http://localhost:3000/hooks --from https://hooks.example.com',
    },
    {
      shows: 'Listen on another port, with the secret of a channel',
      command: 'HEADGATE_SECRET=… headgate listen --port 3000',
    },
    { shows: 'Save all deliveries', command: 'headgate listen --json >> deliveries.ndjson' },
    { shows: 'Fail on purpose, to watch a sender retry', command: 'headgate listen --answer 503' },
  ],
} as const satisfies Spec;

export const sendSpec = {
  name: 'send',
  summary: 'Send one signed delivery to a URL',
  details: [
    'Signs a body and sends it once, as the service does: by POST, with the headers of a delivery, without following redirects, for ten seconds at most. Prints the status, or why no answer came. The exit code is 0 for a 2xx. Addresses of this machine and of private networks are allowed.',
  ],
  args: {
    URL: { description: 'where to send it, such as http://localhost:3000/hooks' },
    BODY: {
      optional: true,
      description: 'a file with the raw body, or - for standard input; the default is a made-up event',
    },
  },
  options: {
    ...secrets,
    ...details,
    timeout: {
      type: 'duration',
      value: 'TIME',
      default: '10s',
      description: 'How long to wait for the answer; at most 10s, as long as the service waits.',
    },
    scheme,
    brand,
    json,
  },
  examples: [
    { shows: 'Send a made-up event', command: 'headgate send http://localhost:3000/hooks' },
    { shows: 'Send an event of your own', command: 'headgate send http://localhost:3000/hooks event.json' },
    {
      shows: 'See whether a receiver refuses old deliveries',
      command: 'headgate send http://localhost:3000/hooks --timestamp 2020-01-01',
    },
    {
      shows: 'See whether a receiver handles an event once',
      command: 'for i in 1 2; do headgate send http://localhost:3000/hooks event.json; done',
    },
  ],
} as const satisfies Spec;
