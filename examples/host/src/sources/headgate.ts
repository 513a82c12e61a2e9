/** Our own scheme, so that one Headgate can send to another. The event id is in the body. */
import { singleHeader } from '../http/headers.js';
import { idInBody } from './delivery-id.js';
import { timedSource } from './timed-signature.js';

const eventId = idInBody('id');

export const headgate = timedSource({
  name: 'headgate',
  brand: 'Svc',
  headers: ['signature', 'timestamp', 'origin', 'event-id'],
  /**
   * A replay has the id of the event that it repeats, and the operator who asked for it wants it to be received again.
   * The origin is not signed, but the time is: a captured request that claims to be a replay is received once more, and
   * no oftener.
   */
  deliveryId(request) {
    const found = eventId(request);
    if (found === null || singleHeader(request.headers, 'svc-origin') !== 'replay') return found;
    return {
      ...found,
      id: `${found.id}@${signedTime(singleHeader(request.headers, 'svc-signature') ?? '')}`,
    };
  },
});

/** The time in a signature, as digits. */
const signedTime = (signature: string): string => /(?:^|,) *t=0*(\d+)/.exec(signature)?.[1] ?? '';
