/** All of signing except how a MAC is made, so that node:crypto and WebCrypto cannot differ in it. */
import type { DeliveryDetails } from '../delivery-details.js';
import { type Bytes, type Payload, readBody } from './body.js';
import { copyDetails, deliveryHeaders, headerNames, signedPrefix, standardPrefix } from './header.js';
import { checkBrand, checkNames, SIGNER_OPTIONS, type SignerOptions } from './options.js';
import { checkScheme, type ForSchemes, keysOf, type SchemeKeys } from './schemes.js';
import { checkSecrets } from './secrets.js';

/** The parts of all headers, without the MACs. The details are a copy; the body is the caller's. */
export interface HeadersDraft {
  /** The text that each scheme signs; null for one that is not sent. */
  readonly payloads: ForSchemes<Payload | null>;
  readonly details: DeliveryDetails;
}

/** The MACs of each scheme, one for each secret; null for one that is not sent. */
export type SchemeMacs = ForSchemes<readonly string[] | null>;

/**
 * The steps of signing. First make a draft, then its MACs, one for each secret, then seal the draft with them.
 */
export interface Sender {
  readonly keys: ForSchemes<SchemeKeys>;
  /** @throws {@link OptionError} `invalid_timestamp`, `invalid_body`, `invalid_header`, `invalid_option` */
  readonly draftHeaders: (body: Bytes, about: DeliveryDetails) => HeadersDraft;
  /** All headers. */
  readonly sealHeaders: (draft: HeadersDraft, macs: SchemeMacs) => Record<string, string>;
}

/** @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option` */
export function createSender(options: SignerOptions): Sender {
  checkNames('options', options, SIGNER_OPTIONS);
  const brand = checkBrand(options.brand);
  const names = headerNames(brand, String);
  const secrets = checkSecrets(options.secrets);
  const scheme = checkScheme(options.scheme, secrets);
  return {
    keys: keysOf(secrets),
    draftHeaders(given, about) {
      const details = copyDetails(about);
      const body = readBody(given);
      const svc = scheme === 'standard_webhooks' ? null : { prefix: signedPrefix(details.timestamp), body };
      const standard = scheme === 'svc' ? null : { prefix: standardPrefix(details), body };
      return { payloads: { svc, standard_webhooks: standard }, details };
    },
    sealHeaders({ details }, { svc, standard_webhooks: standard }) {
      const { timestamp } = details;
      return deliveryHeaders(brand, names, details, {
        svc: svc && seal(timestamp, svc),
        standard_webhooks: standard?.map((mac) => `v1,${mac}`).join(' ') ?? null,
      });
    },
  };
}

/** @throws {@link OptionError} `invalid_timestamp`, `invalid_body` */
export const draftSignature = (body: Bytes, timestamp: number): Payload => ({
  prefix: signedPrefix(timestamp),
  body: readBody(body),
});

/** The value of Svc's signature header. */
export const seal = (timestamp: number, macs: readonly string[]): string =>
  macs.reduce((header, mac) => `${header},v1=${mac}`, `t=${timestamp}`);
