/** Errors, and the failures that they are recorded as. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AttemptError, failureOf } from '../../../src/adapters/http/failure.js';
import { expectOwnWords } from './vocabulary.js';

const coded = (code: string): Error =>
  Object.assign(new Error('a message that quotes sk_live_secret'), { code });

test.for([
  ['ECONNREFUSED', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['EHOSTUNREACH', 'connection_failed'],
  ['ENETUNREACH', 'connection_failed'],
  ['ETIMEDOUT', 'connection_failed'],
  ['EADDRNOTAVAIL', 'connection_failed'],
  ['EMFILE', 'connection_failed'],
  ['CERT_HAS_EXPIRED', 'tls_failure'],
  ['CERT_NOT_YET_VALID', 'tls_failure'],
  ['CERT_REVOKED', 'tls_failure'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failure'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls_failure'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_failure'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failure'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls_failure'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls_failure'],
  ['EPROTO', 'tls_failure'],
] as const)('%s is a %s, and transient', ([code, failure]) => {
  const outcome = failureOf(coded(code));
  expect(outcome).toMatchObject({ ok: false, failure, transient: true });
  expect(outcome.detail).not.toContain('secret');
});

test.for([new TypeError('sk_live_secret'), 'sk_live_secret', null])('%o is an internal_error', (error) => {
  const outcome = failureOf(error);
  expect(outcome).toMatchObject({ ok: false, failure: 'internal_error', transient: true });
  expect(outcome.detail).not.toContain('secret');
});

test.for([
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'refuses the handshake'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'refuses the handshake'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'before 1.2'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'before 1.2'],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'ended the TLS handshake'],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'does not know the name'],
  ['ERR_SSL_DH_KEY_TOO_SMALL', 'no longer safe'],
  ['ERR_SSL_BAD_SIGNATURE', 'the TLS handshake failed'],
  ['CERT_REVOKED', 'has been revoked'],
  ['CERT_CHAIN_TOO_LONG', 'cannot be verified'],
  ['UNSPECIFIED', 'cannot be verified'],
] as const)('%s, by whatever version of OpenSSL: %s', ([code, text]) => {
  expect(failureOf(coded(code))).toMatchObject({
    failure: 'tls_failure',
    detail: expect.stringContaining(text),
  });
});

test('an assertion inside undici is about the answer: protocol_error', () => {
  expect(failureOf(coded('ERR_ASSERTION'))).toMatchObject({ failure: 'protocol_error' });
});

test('an error of our own says what is recorded', () => {
  const error = new AttemptError('timeout', 'no connection within 10 s');
  expect(failureOf(error)).toEqual({ ok: false, failure: 'timeout', transient: true, detail: error.message });
});

const prefix = fc.constantFrom(
  'E',
  'ERR_',
  'ERR_SSL_',
  'ERR_TLS_',
  'CERT_',
  'UND_ERR_',
  'HPE_',
  'EAI_',
  'UNABLE_TO_',
  '',
);
const code = fc.tuple(prefix, fc.string({ maxLength: 2_000 })).map((parts) => parts.join(''));
const anyError = fc.oneof(
  fc.anything(),
  code.map(coded),
  fc.constantFrom('toString', '__proto__', 'constructor', 'hasOwnProperty').map(coded),
  fc.record({ code: fc.anything(), message: fc.string() }),
  fc.constant({
    get code() {
      throw new Error('sk_live_secret');
    },
  }),
);

test('whatever error there is, its own words are never recorded', () => {
  fc.assert(
    fc.property(anyError, (error) => {
      const outcome = failureOf(error);
      expectOwnWords(outcome);
      expect(outcome.detail.length).toBeLessThan(120);
    }),
    { numRuns: 2_000 },
  );
});
