/**
 * Publishes events from any runtime that has `fetch`.
 *
 * @module headgate/publisher
 */
export { HeadgateError, OptionError, type OptionErrorCode } from '../errors.js';
export type { PublisherOptions } from './options.js';
export {
  createPublisher,
  type EventOf,
  type PublishedEvent,
  type PublishEvent,
  type Publisher,
  type PublishOptions,
  type PublishResult,
} from './publisher.js';
export { PublisherError, type PublisherErrorCode, type PublisherErrorDetails } from './publisher-error.js';
