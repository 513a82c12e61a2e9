/** The types of `headgate/signing`. */
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expectTypeOf, test } from 'vitest';
import type * as node from 'headgate/signing';
import { createVerifier } from 'headgate/signing';
import type * as web from 'headgate/signing/web';
import { createVerifier as createWebVerifier } from 'headgate/signing/web';

describe('signing', () => {
  test('node answers at once, web with a promise', () => {
    expectTypeOf<node.Signer['signature']>().returns.toEqualTypeOf<string>();
    expectTypeOf<web.Signer['signature']>().returns.toEqualTypeOf<Promise<string>>();
    expectTypeOf<node.Signer['headers']>().returns.toEqualTypeOf<Record<string, string>>();
    expectTypeOf<web.Signer['headers']>().returns.toEqualTypeOf<Promise<Record<string, string>>>();
    const options = { secrets: 'whsec_test' };
    expectTypeOf(createVerifier(options)).returns.toEqualTypeOf<node.VerifiedDelivery>();
    expectTypeOf(createWebVerifier(options)).returns.toEqualTypeOf<Promise<node.VerifiedDelivery>>();
  });

  test('both doors name the same types', () => {
    expectTypeOf<web.Bytes>().toEqualTypeOf<node.Bytes>();
    expectTypeOf<web.DeliveryDetails>().toEqualTypeOf<node.DeliveryDetails>();
    expectTypeOf<web.HeaderReader>().toEqualTypeOf<node.HeaderReader>();
    expectTypeOf<web.HeaderSource>().toEqualTypeOf<node.HeaderSource>();
    expectTypeOf<web.Origin>().toEqualTypeOf<node.Origin>();
    expectTypeOf<web.SignatureErrorCode>().toEqualTypeOf<node.SignatureErrorCode>();
    expectTypeOf<web.SignerOptions>().toEqualTypeOf<node.SignerOptions>();
    expectTypeOf<web.VerifiedDelivery>().toEqualTypeOf<node.VerifiedDelivery>();
    expectTypeOf<web.VerifierOptions>().toEqualTypeOf<node.VerifierOptions>();
    expectTypeOf<keyof typeof web>().toEqualTypeOf<keyof typeof node>();
  });

  test('headers of fetch, of node:http and plain ones fit', () => {
    expectTypeOf<Headers>().toExtend<node.HeaderSource>();
    expectTypeOf<IncomingHttpHeaders>().toExtend<node.HeaderSource>();
    expectTypeOf<Record<string, string>>().toExtend<node.HeaderSource>();
    expectTypeOf<string>().not.toExtend<node.HeaderSource>();
    expectTypeOf<Request>().not.toExtend<node.HeaderSource>();
    expectTypeOf<Map<string, string>>().not.toExtend<node.HeaderSource>();
    expectTypeOf<undefined>().not.toExtend<node.HeaderSource>();
  });

  test('a body is bytes or text, never what JSON.parse gave', () => {
    expectTypeOf<Buffer>().toExtend<node.Bytes>();
    expectTypeOf<{ id: string }>().not.toExtend<node.Bytes>();
    expectTypeOf<ArrayBuffer>().toExtend<node.Bytes>();
    expectTypeOf<SharedArrayBuffer>().toExtend<node.Bytes>();
    expectTypeOf<DataView>().toExtend<node.Bytes>();
    expectTypeOf<number[]>().not.toExtend<node.Bytes>();
    expectTypeOf<Promise<ArrayBuffer>>().not.toExtend<node.Bytes>();
  });

  test('secrets are asked for, and an unset variable is none', () => {
    expectTypeOf<object>().not.toExtend<node.SignerOptions>();
    expectTypeOf<{ secrets: string | undefined }>().not.toExtend<node.SignerOptions>();
    expectTypeOf<{ secrets: readonly ['old', 'new'] }>().toExtend<node.SignerOptions>();
  });

  test('codes are a closed union', () => {
    expectTypeOf<InstanceType<typeof node.SignatureError>['code']>().toEqualTypeOf<
      | 'missing_header'
      | 'malformed_header'
      | 'timestamp_mismatch'
      | 'timestamp_too_old'
      | 'timestamp_in_future'
      | 'signature_mismatch'
    >();
  });
});
