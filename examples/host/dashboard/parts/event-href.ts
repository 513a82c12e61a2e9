/** The page of the event that a delivery sends. */
import { ROOT } from '../data/index.js';

/** Events of alerts are reported on the page of alerts, and have none of their own. */
export const eventHref = ({
  event_id: id,
  event_type: type,
}: {
  readonly event_id: string;
  readonly event_type: string;
}): string => (type.startsWith('headgate.') ? `${ROOT}/alerts` : `${ROOT}/events/${id}`);
