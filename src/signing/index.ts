/**
 * Signing and verifying on node:crypto, synchronous: Node, Bun, Deno, and Workers with `nodejs_compat`. No dependencies.
 *
 * @module
 */
export { OptionError } from '../errors.js';
export type { Bytes, DeliveryDetails, Origin } from './header.js';
export type { SignerOptions, VerifierOptions } from './options.js';
export type { HeaderReader, HeaderSource, VerifiedDelivery } from './receive.js';
export { createSigner, type Signer } from './sign.js';
export { SignatureError, type SignatureErrorCode } from './signature-error.js';
export { createVerifier } from './verify.js';
