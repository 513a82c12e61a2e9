/** The state of an endpoint in words: also that it fails, which its status does not say. Pure. */
import { type Status } from '../../words/statuses.js';
import type { Endpoint } from './endpoint-list.js';

const ACTIVE: Status = { text: 'Active', tone: 'good', explains: 'New events are delivered.' };
const FAILING: Status = {
  text: 'Failing',
  tone: 'bad',
  explains: 'All attempts of the last time have failed.',
};
const PAUSED: Status = { text: 'Paused', tone: 'warn', explains: 'New events skip it until it is resumed.' };

/** Beside the state of an endpoint that gets no events. */
export const FOR_ALERTS: Status = {
  text: 'Alerts',
  tone: 'quiet',
  explains: 'It gets alerts, and no events.',
};

export function stateOf({
  status,
  failing_since: since,
}: Pick<Endpoint, 'status' | 'failing_since'>): Status {
  if (status === 'paused') return PAUSED;
  return since === null ? ACTIVE : FAILING;
}

/** The effects of a pause, for the dialog that asks for it. */
export const PAUSING =
  'New events skip a paused endpoint: no delivery is made for it. Retries that are scheduled already still run, at their times. Events that come meanwhile can be replayed after it is resumed.';
