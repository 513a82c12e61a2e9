/** Subscribers: the endpoints that get the events of a topic. */
import type { FanOutEndpoint } from 'headgate/delivery';

/** An endpoint, and the order in which it gets its events. */
export interface Subscriber extends FanOutEndpoint {
  /** `endpoint`: one at a time. `key`: those with the same ordering key one at a time. Left out: `none`. */
  readonly ordering?: 'none' | 'endpoint' | 'key';
}
