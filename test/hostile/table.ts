/** Every hostile receiver, and what is recorded of it. The table in docs/security.md is this one. */
import { gzipSync } from 'node:zlib';
import type { AttemptFailure, AttemptOutcome, FailureCode } from '../../src/delivery/transport.js';
import { certificate } from './certificates.js';
import { openFullReceiver } from './full-receiver.js';
import type { Zone } from './name-server.js';
import { flood } from './receivers.js';
import { type Build, bytewise, called, dripping, nobodyAt, plain, raw, secure } from './site.js';

/** Occurs in whatever receivers send, and must not occur in a record. */
export const MARK = 'Zm9vYmFy';

/** A receiver that means no good, or does not work. */
export interface Hostile {
  /** "A receiver that …", as the document says it. Rows that share it are recorded alike, but for the status. */
  readonly does: string;
  /** Tells rows apart that share it. */
  readonly how?: string;
  readonly build: Build;
  /** The outcomes recorded of its attempts, one after the other, where 10 s are granted. */
  readonly recorded: readonly AttemptOutcome[];
}

const fails = (failure: FailureCode, detail: string, transient = true): readonly AttemptFailure[] => [
  { ok: false, failure, transient, detail },
];
const answers = (status: number, note = '', more: Partial<AttemptFailure> = {}): AttemptFailure => ({
  ok: false,
  failure: 'http_status',
  status,
  transient: true,
  detail: `the receiver answered ${status}${note}`,
  ...more,
});
const delivered = (status = 200): readonly AttemptOutcome[] => [{ ok: true, status }];

const closed = fails('connection_reset', 'the connection was closed before complete response headers');
const closedEarly = fails('connection_reset', 'the connection was closed during the TLS handshake');
const unanswered = fails('timeout', 'no complete response headers within 10 s');
const oversized = fails('headers_too_large', 'the response headers are too large');
const noHttp = fails('protocol_error', 'the answer is not HTTP/1.1');
const tls = (detail: string): readonly AttemptFailure[] => fails('tls_failure', detail);
const refusedHandshake = tls('the receiver refuses the handshake; it may want a client certificate');
const noTls = tls('the receiver does not speak TLS at this port');

/** An answer that is as it should be, save for its status. */
const answer = (status: number, headers = '', body: string = MARK): string =>
  `HTTP/1.1 ${status} ${MARK}\r\nX-Words: ${MARK}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

const connections: readonly Hostile[] = [
  {
    does: 'is not there',
    build: nobodyAt('http://127.0.0.1:2/'),
    recorded: fails('connection_refused', 'nothing listens at the address and port'),
  },
  {
    does: 'takes no connection, or sits behind a firewall that drops packets',
    build: async (site) => (await site.keep(openFullReceiver())).url,
    recorded: fails('timeout', 'no connection within 10 s'),
  },
  {
    does: 'closes or resets the connection before headers',
    how: 'unasked',
    build: raw('http', (socket) => socket.end()),
    recorded: closed,
  },
  {
    does: 'closes or resets the connection before headers',
    how: 'closes',
    build: plain((socket) => socket.end()),
    recorded: closed,
  },
  {
    does: 'closes or resets the connection before headers',
    how: 'resets',
    build: plain((socket) => socket.resetAndDestroy()),
    recorded: closed,
  },
  {
    does: 'closes or resets the connection in the middle of headers',
    how: 'closes',
    build: plain((socket) => socket.end(`HTTP/1.1 200 OK\r\n${MARK}: 1\r\nContent-Le`)),
    recorded: closed,
  },
  {
    does: 'closes or resets the connection in the middle of headers',
    how: 'resets',
    build: plain((socket) => socket.write(`HTTP/1.1 200 ${MARK}\r\nA`, () => socket.resetAndDestroy())),
    recorded: closed,
  },
  {
    does: 'never reads, or never answers',
    how: 'never answers',
    build: plain(() => undefined),
    recorded: unanswered,
  },
  {
    does: 'never reads, or never answers',
    how: 'never reads',
    build: raw('http', (socket) => socket.pause()),
    recorded: unanswered,
  },
];

const good = certificate(['IP:127.0.0.1', 'DNS:secure.test']);
const otherName = certificate([`DNS:${MARK.toLowerCase()}.test`]);
const expired = certificate(['IP:127.0.0.1'], { subject: 'expired', expired: true });
const stranger = certificate(['IP:127.0.0.1'], { subject: MARK });
const orphan = certificate(['IP:127.0.0.1'], { subject: `${MARK} leaf`, issuer: `${MARK} root` });

/** The certificates that the sender trusts. */
export const authorities: readonly string[] = [good.cert, otherName.cert, expired.cert];

const handshakes: readonly Hostile[] = [
  {
    does: 'speaks no TLS at an `https:` URL',
    how: 'garbage',
    build: raw('https', (socket) => socket.once('data', () => socket.write(`\0\x01\x02${MARK.repeat(100)}`))),
    recorded: noTls,
  },
  {
    does: 'speaks no TLS at an `https:` URL',
    how: 'plain HTTP',
    build: called(
      { scheme: 'https' },
      raw('http', (socket) => socket.end(answer(400))),
    ),
    recorded: noTls,
  },
  {
    does: 'speaks TLS at an `http:` URL',
    build: called({ scheme: 'http' }, secure(good, answer(200))),
    recorded: closed,
  },
  {
    does: 'breaks a TLS handshake off',
    how: 'closes',
    build: raw('https', (socket) => socket.once('data', () => socket.end())),
    recorded: closedEarly,
  },
  {
    does: 'breaks a TLS handshake off',
    how: 'resets',
    build: raw('https', (socket) => socket.once('data', () => socket.resetAndDestroy())),
    recorded: closedEarly,
  },
  {
    does: 'never ends a TLS handshake',
    build: raw('https', (socket) => socket.once('data', () => socket.write('\x16\x03\x03'))),
    recorded: fails('timeout', 'no TLS handshake within 10 s'),
  },
  {
    does: 'speaks only versions of TLS that are too old',
    build: secure(
      { ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
      answer(200),
    ),
    recorded: tls('the receiver speaks only versions of TLS before 1.2'),
  },
  {
    does: 'wants a client certificate, or ciphers that nobody else has',
    how: 'certificate',
    build: secure(
      { ...good, maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: true },
      answer(200),
    ),
    recorded: refusedHandshake,
  },
  {
    does: 'wants a client certificate, or ciphers that nobody else has',
    how: 'cipher',
    build: secure({ ...good, maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' }, answer(200)),
    recorded: refusedHandshake,
  },
  {
    does: 'speaks nothing but HTTP/2 over TLS',
    build: secure({ ...good, ALPNProtocols: ['h2'] }, answer(200)),
    recorded: tls('the receiver does not speak HTTP/1.1'),
  },
  {
    does: 'has a certificate of another name',
    build: secure(otherName, answer(200)),
    recorded: tls('the certificate is for another name'),
  },
  {
    does: 'has an expired certificate',
    build: secure(expired, answer(200)),
    recorded: tls('the certificate has expired'),
  },
  {
    does: 'has a certificate that it signed itself',
    build: secure(stranger, answer(200)),
    recorded: tls('the certificate is self-signed, or its chain ends in an untrusted root'),
  },
  {
    does: 'has a certificate without the one that signed it',
    build: secure(orphan, answer(200)),
    recorded: tls('the certificate chain does not lead to a trusted root; an intermediate may be missing'),
  },
];

/** The zone of the name server; 127.0.0.1 counts as public here, and no other address. */
export const zone: Zone = {
  'missing.test': { a: [], aaaa: [], rcode: 3 },
  'empty.test': { a: [], aaaa: [] },
  'broken.test': { a: [], aaaa: [], rcode: 2 },
  'private.test': { a: ['10.0.0.1'], aaaa: [] },
  'mixed.test': { a: ['127.0.0.1', '10.0.0.1'], aaaa: [] },
  'late6.test': { a: ['127.0.0.1'], aaaa: ['fd000000000000000000000000000001'], aaaaAfterMs: 300 },
  'mixed6.test': { a: ['127.0.0.1'], aaaa: ['fd000000000000000000000000000001'] },
  'later.test': (asked) => ({ a: [asked === 0 ? '127.0.0.1' : '127.0.0.2'], aaaa: [] }),
  'rebound.test': (asked) => ({ a: [asked === 0 ? '127.0.0.1' : '127.0.0.2'], aaaa: [] }),
};

const unresolved = (name: string, code: string): readonly AttemptFailure[] =>
  fails('dns_failure', `${name} could not be resolved (${code})`);
const refused = (name: string, purpose = 'private'): readonly AttemptFailure[] =>
  fails(
    'address_refused',
    `${name} is, or resolves to, an address that is not public (${purpose}); use one that is`,
    false,
  );

const names: readonly Hostile[] = [
  {
    does: 'has a name that does not exist',
    build: nobodyAt('http://missing.test/'),
    recorded: unresolved('missing.test', 'ENOTFOUND'),
  },
  {
    does: 'has a name without an address',
    build: nobodyAt('http://empty.test/'),
    recorded: unresolved('empty.test', 'ENODATA'),
  },
  {
    does: 'has a name server that is broken',
    build: nobodyAt('http://broken.test/'),
    recorded: unresolved('broken.test', 'ESERVFAIL'),
  },
  {
    does: 'has a name server that never answers',
    build: nobodyAt('http://silent.test/'),
    recorded: fails('timeout', 'no answer from DNS within 10 s'),
  },
  {
    does: 'has a name with a private address',
    build: nobodyAt('http://private.test/'),
    recorded: refused('private.test'),
  },
  {
    does: 'has a name with a public and a private address',
    how: 'IPv4',
    build: nobodyAt('http://mixed.test/'),
    recorded: refused('mixed.test'),
  },
  {
    does: 'has a name with a public and a private address',
    how: 'IPv6',
    build: nobodyAt('http://mixed6.test/'),
    recorded: refused('mixed6.test'),
  },
  {
    does: 'has a name with a public and a private address',
    how: 'IPv6, a little later',
    build: nobodyAt('http://late6.test/'),
    recorded: refused('late6.test'),
  },
  {
    does: 'turns its name to a private address between two attempts',
    build: called(
      { name: 'later.test' },
      plain((socket) => socket.end(answer(500, 'Connection: close\r\n'))),
    ),
    recorded: [answers(500), ...refused('later.test', 'loopback')],
  },
  {
    does: 'turns its name to a private address between look-up and connection',
    build: called({ name: 'rebound.test' }, plain(answer(200))),
    recorded: delivered(),
  },
];

const heads: readonly Hostile[] = [
  {
    does: 'sends headers a byte at a time',
    build: dripping(`HTTP/1.1 200 ${MARK}\r\nA: `, 'b'),
    recorded: unanswered,
  },
  {
    does: 'sends headers without end, or more than 16 KiB of them',
    how: 'a status line',
    build: plain((socket) => flood(socket, `HTTP/1.1 200 ${MARK}`)),
    recorded: oversized,
  },
  {
    does: 'sends headers without end, or more than 16 KiB of them',
    how: 'one header',
    build: plain((socket) => flood(socket, `HTTP/1.1 200 OK\r\nA: ${MARK}`)),
    recorded: oversized,
  },
  {
    does: 'sends headers without end, or more than 16 KiB of them',
    how: 'many headers',
    build: plain(answer(200, 'A: b\r\n'.repeat(20_000))),
    recorded: oversized,
  },
  {
    does: 'sends headers without end, or more than 16 KiB of them',
    how: 'one of 16 KiB',
    build: plain(answer(200, `A: ${'b'.repeat(16 * 1024)}\r\n`)),
    recorded: oversized,
  },
  {
    does: 'sends headers without end, or more than 16 KiB of them',
    how: 'in 103 Early Hints',
    build: plain((socket) => flood(socket, `HTTP/1.1 103 ${MARK}\r\nLink: ${MARK}`)),
    recorded: oversized,
  },
  {
    does: 'sends `100 Continue` and nothing else',
    build: plain('HTTP/1.1 100 Continue\r\n\r\n'),
    recorded: unanswered,
  },
  ...Object.entries({
    '100': 'HTTP/1.1 100 Continue\r\n\r\n',
    '103 with 20 KiB of headers': `HTTP/1.1 103 ${MARK}\r\n${'Link: </a.css>\r\n'.repeat(1_300)}\r\n`,
    'one that nobody knows, with a length': 'HTTP/1.1 199 \r\nContent-Length: 5\r\n\r\n',
    'sixteen of them': 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(16),
    'lines without carriage returns': `HTTP/1.0 100\nA: ${MARK}\n\n`,
  }).flatMap(([how, informational]): Hostile[] => [
    {
      does: 'sends `1xx` responses, which nobody asked for, and then its answer',
      how,
      build: plain(informational + answer(200)),
      recorded: delivered(),
    },
    {
      does: 'sends `1xx` responses, which nobody asked for, and then what is not HTTP/1.1',
      how,
      build: plain(informational + answer(200).replace('HTTP/1.1', 'HTTP/2.0')),
      recorded: noHttp,
    },
  ]),
  {
    does: 'sends `1xx` responses, which nobody asked for, and then its answer',
    how: 'a byte at a time',
    build: bytewise(`\r\nHTTP/1.1 100 Continue\r\nA: b\r\n\r\n${answer(200)}`),
    recorded: delivered(),
  },
  ...Object.entries({
    '102': `HTTP/1.1 102 ${MARK}\r\n\r\n`,
    '100': 'HTTP/1.1 100 Continue\r\n\r\n',
    '103, with headers': `HTTP/1.1 103 Early Hints\r\nLink: ${MARK}\r\n\r\n`,
  }).map(([how, informational]): Hostile => ({
    does: 'sends `1xx` responses without end',
    how,
    build: plain(informational.repeat(100)),
    recorded: fails('protocol_error', 'more than 16 informational responses'),
  })),
  {
    does: 'sends `1xx` responses now and again',
    build: dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    recorded: unanswered,
  },
  ...Object.entries({
    'as it is done': 'Connection: upgrade\r\nUpgrade: x\r\n',
    'saying to which': 'Upgrade: x\r\n',
    'without a word': '',
  }).map(([how, headers]): Hostile => ({
    does: 'switches protocols',
    how,
    build: plain(`HTTP/1.1 101 Switching\r\n${headers}\r\n`),
    recorded: fails('protocol_error', 'the response switches protocols'),
  })),
  ...Object.entries({
    garbage: `\0\x01\x02 ${MARK}\r\n\r\n`,
    mail: `220 ${MARK} ESMTP\r\n`,
    'HTTP/0.9': `<html>${MARK}</html>`,
    'HTTP/2': Buffer.from('00001204000000000000030000006400040010000000060000ffff', 'hex'),
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ...Object.fromEntries(
      [
        'HTTP/2.0',
        'HTTP/2',
        'HTTP/3.0',
        'HTTP/1.2',
        'HTTP/11.1',
        'http/1.1',
        'ICY',
        'ICE/1.0',
        'RTSP/1.0',
        'SIP/2.0',
      ].map((version) => [`a status line of ${version}`, answer(200).replace('HTTP/1.1', version)]),
    ),
    'a status line of HTTP/0.9': answer(200).replace('HTTP/1.1', 'HTTP/0.9'),
    'no status': `HTTP/1.1 ${MARK}\r\n\r\n`,
    'the status 000': answer(200).replace('200', '000'),
    'the status 099': answer(200).replace('200', '099'),
    'two digits of a status': answer(99),
    'four digits of a status': answer(2000),
    'a status after two blanks': answer(200).replace(' ', '  '),
    'a status that runs into words': answer(200).replace('200 ', '200'),
    'a few letters and no more': 'HTTQ',
    'a header without a colon': `HTTP/1.1 200 OK\r\nA ${MARK}\r\n\r\n`,
    'a zero byte': `HTTP/1.1 200 OK\r\n${MARK}\0: 1\r\n\r\n`,
    'a length and chunks': answer(200, 'Transfer-Encoding: chunked\r\n'),
  }).map(([how, text]): Hostile => ({
    does: 'does not speak HTTP/1.1',
    how,
    build: plain(text),
    recorded: noHttp,
  })),
  {
    does: 'gives two lengths',
    build: plain(answer(200, 'Content-Length: 7\r\n')),
    recorded: fails('protocol_error', 'the answer contradicts its own length'),
  },
];

const statuses: readonly Hostile[] = [
  ...[300, 301, 302, 303, 305, 307, 308].map((status): Hostile => ({
    does: 'redirects, wherever to',
    how: String(status),
    build: (site) => plain(answer(status, `Location: ${site.trapUrl}\r\n`))(site),
    recorded: [answers(status, '; redirects are not followed')],
  })),
  ...[304, 400, 401, 404, 410, 500, 503, 999].map((status): Hostile => ({
    does: 'answers with another status, such as 304, 401, 410 or 500',
    how: String(status),
    build: plain(answer(status)),
    recorded: [answers(status)],
  })),
  {
    does: 'answers 429 or 503 with `Retry-After`',
    how: '429',
    build: plain(answer(429, 'Retry-After: 120\r\n')),
    recorded: [answers(429, '', { retry_after_seconds: 120 })],
  },
  ...[200, 204, 299].map((status): Hostile => ({
    does: 'answers 2xx',
    how: String(status),
    build: plain(answer(status)),
    recorded: delivered(status),
  })),
  ...Object.entries({
    'in HTTP/1.0': answer(200).replace('HTTP/1.1', 'HTTP/1.0'),
    'without words': answer(200).replace(`200 ${MARK}`, '200'),
    'after an empty line': `\r\n${answer(200)}`,
    'and offers another protocol': answer(200, 'Connection: upgrade\r\nUpgrade: h2c\r\n'),
    'with trailers': `${CHUNKED}2\r\nok\r\n0\r\nX-Words: ${MARK}\r\n\r\n`,
    'with another status in its trailers': `${CHUNKED}0\r\nHTTP/1.1 500 ${MARK}: 1\r\n\r\n`,
  }).map(([how, text]): Hostile => ({ does: 'answers 2xx', how, build: plain(text), recorded: delivered() })),
  {
    does: 'answers 2xx before it was asked',
    build: raw('http', (socket) => socket.write(answer(200))),
    recorded: delivered(),
  },
];

/** 200 MiB in 200 KiB. */
const bomb: Build = (site) => {
  const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n');
  const answer = Buffer.concat([head, gzipSync(Buffer.alloc(200 * 1024 * 1024))]);
  return plain((socket) => socket.end(answer))(site);
};

/** Receivers that have said 200: what follows is thrown away, or not waited for. */
export const bodies: readonly Hostile[] = Object.entries<Build>({
  'without end': plain((socket) => flood(socket, `HTTP/1.1 200 OK\r\n\r\n${MARK}`)),
  'as a chunk without end': plain((socket) => flood(socket, `${CHUNKED}fffffff\r\n`)),
  'with a chunk extension without end': plain((socket) => flood(socket, `${CHUNKED}1;a=`)),
  'with trailers without end': plain((socket) => flood(socket, `${CHUNKED}0\r\nA: `)),
  'a byte at a time': dripping('HTTP/1.1 200 OK\r\n\r\n', 'x'),
  'not at all, though announced': plain('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
  'in part': plain((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc')),
  'as a gzip bomb': bomb,
  'and another answer': plain(answer(200) + answer(500)),
  'that is broken': plain(`${CHUNKED}${MARK}\r\n`),
}).map(([how, build]) => ({
  does: 'answers 2xx, and sends a body without end, in drops, in part, or as a gzip bomb',
  how,
  build,
  recorded: delivered(),
}));

export const hostileReceivers: readonly Hostile[] = [
  ...connections,
  ...names,
  ...handshakes,
  ...heads,
  ...statuses,
  ...bodies,
];

/** How an attempt ended, in a word. */
export const ending = (outcome: AttemptOutcome): string => (outcome.ok ? 'delivered' : outcome.failure);
