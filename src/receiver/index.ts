/**
 * Receivers of webhooks in one line: the raw body, the signature, each event once, the answer. For every framework and
 * runtime; no dependencies.
 *
 * @module headgate/receiver
 */
export { HeadgateError, OptionError } from '../errors.js';
export { SignatureError, type SignatureErrorCode } from '../signing/signature-error.js';
export type { VerifiedDelivery } from '../signing/reader.js';
export type { LambdaEvent, LambdaResult } from './from-lambda.js';
export type { NodeMessage, NodeReply, NodeRequest, NodeResponse } from './from-node.js';
export type { Event, ReceiverOptions, RequestInfo, Secrets } from './options.js';
export { createReceiver, type Receiver } from './receiver.js';
export { ReceiverError, type ReceiverErrorCode } from './receiver-error.js';
export { createMemorySeenStore, type MemorySeenOptions, type SeenAnswer, type SeenStore } from './seen.js';
export type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.js';
