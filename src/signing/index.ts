/**
 * Signing and verifying on node:crypto, synchronous: for Node, Bun, Deno, and Workers with `nodejs_compat`. No
 * dependencies.
 *
 * @module headgate/signing
 */
export type { DeliveryDetails, Origin } from '../delivery-details.js';
export { OptionError } from '../errors.js';
export type { Bytes } from './body.js';
export type { HeaderReader, HeaderSource } from './header-source.js';
export type { SignerOptions, VerifierOptions } from './options.js';
export type { VerifiedDelivery } from './reader.js';
export type { Scheme, SchemeOption } from './schemes.js';
export { createSigner, type Signer } from './sign.js';
export { SignatureError, type SignatureErrorCode } from './signature-error.js';
export { createVerifier } from './verify.js';
