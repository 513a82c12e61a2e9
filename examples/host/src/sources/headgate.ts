/** Our own scheme, so that one Headgate can send to another. */
import { singleHeader } from '../ground/headers.js';
import { timedSource } from './timed-signature.js';

export const headgate = timedSource({
  name: 'headgate',
  brand: 'Svc',
  headers: ['signature', 'timestamp', 'origin', 'event-id'],
  // A replay has the id of the event that it repeats, and its operator wants it to be received again.
  deliveryId: (headers) =>
    singleHeader(headers, 'svc-origin') === 'replay' ? null : singleHeader(headers, 'svc-event-id'),
});
