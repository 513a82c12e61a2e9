import { type Bytes, type Payload, readBody } from './body.js';
import { copyDetails, deliveryHeaders, type DeliveryDetails, headerNames, signedPrefix } from './header.js';
import { checkBrand, checkNames, SIGNER_OPTIONS, type SignerOptions } from './options.js';
import { checkSecrets } from './secrets.js';

/** Something of which only the MACs are missing. Of what the caller handed in it holds the body alone. */
export interface Draft<Sealed> extends Payload {
  /** @param macs - One for each secret, oldest first. */
  readonly seal: (macs: readonly string[]) => Sealed;
}

/** Everything about signing but how a MAC is made, so that node and web cannot differ in it. */
export interface Sender {
  readonly secrets: readonly string[];
  readonly signature: (body: Bytes, timestamp: number) => Draft<string>;
  readonly headers: (body: Bytes, about: DeliveryDetails) => Draft<Record<string, string>>;
}

/** @throws {@link OptionError} `invalid_secret`, `invalid_brand`, `invalid_option` */
export function createSender(options: SignerOptions): Sender {
  checkNames('options', options, SIGNER_OPTIONS);
  const brand = checkBrand(options.brand);
  const names = headerNames(brand, String);
  const signature: Sender['signature'] = (body, timestamp) => ({
    prefix: signedPrefix(timestamp),
    body: readBody(body),
    seal: (macs) => macs.reduce((header, mac) => `${header},v1=${mac}`, `t=${timestamp}`),
  });
  return {
    secrets: checkSecrets(options.secrets),
    signature,
    headers(body, about) {
      const details = copyDetails(about);
      const draft = signature(body, details.timestamp);
      return { ...draft, seal: (macs) => deliveryHeaders(brand, names, details, draft.seal(macs)) };
    },
  };
}
