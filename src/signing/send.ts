/** All of signing except how a MAC is made, so that node:crypto and WebCrypto cannot differ in it. */
import type { DeliveryDetails } from '../delivery-details.js';
import { type Bytes, type Payload, readBody } from './body.js';
import { copyDetails, deliveryHeaders, headerNames, signedPrefix } from './header.js';
import { checkBrand, checkNames, SIGNER_OPTIONS, type SignerOptions } from './options.js';
import { checkSecrets } from './secrets.js';

/** The parts of a signature header, without the MACs. */
export interface Draft extends Payload {
  /** Unix seconds. */
  readonly timestamp: number;
}

/** The parts of all headers, without the MACs. The details are a copy; the body is the caller's. */
export interface HeadersDraft extends Draft {
  readonly details: DeliveryDetails;
}

/**
 * The steps of signing. First make a draft, then its MACs, one for each secret, then seal the draft with them.
 */
export interface Sender {
  readonly secrets: readonly string[];
  /** All seven headers. */
  readonly sealHeaders: (draft: HeadersDraft, macs: readonly string[]) => Record<string, string>;
}

/** @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option` */
export function createSender(options: SignerOptions): Sender {
  checkNames('options', options, SIGNER_OPTIONS);
  const brand = checkBrand(options.brand);
  const names = headerNames(brand, String);
  return {
    secrets: checkSecrets(options.secrets),
    sealHeaders: (draft, macs) => deliveryHeaders(brand, names, draft.details, seal(draft, macs)),
  };
}

/** @throws {@link OptionError} `invalid_timestamp`, `invalid_body` */
export const draftSignature = (body: Bytes, timestamp: number): Draft => ({
  prefix: signedPrefix(timestamp),
  body: readBody(body),
  timestamp,
});

/** @throws {@link OptionError} `invalid_timestamp`, `invalid_body`, `invalid_header`, `invalid_option` */
export function draftHeaders(body: Bytes, about: DeliveryDetails): HeadersDraft {
  const details = copyDetails(about);
  return { ...draftSignature(body, details.timestamp), details };
}

/** The value of the signature header. */
export const seal = ({ timestamp }: Draft, macs: readonly string[]): string =>
  macs.reduce((header, mac) => `${header},v1=${mac}`, `t=${timestamp}`);
