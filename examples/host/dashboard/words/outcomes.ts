/** The words for how an event stands, apart from the other states: the first page does without them. */
import { counted } from './numbers.js';
import type { Status } from './statuses.js';

/** How an event stands, by the newest delivery to each endpoint. To be dropped is an outcome and no failure. */
export const OUTCOMES = {
  delivered: { text: 'Delivered', tone: 'good', explains: 'It arrived at every endpoint.' },
  delivering: {
    text: 'Delivering',
    tone: 'busy',
    explains: 'A first attempt is under way, or waits for its turn.',
  },
  retrying: { text: 'Retrying', tone: 'warn', explains: 'An attempt failed. The next one is scheduled.' },
  failing: {
    text: 'Endpoint failing',
    tone: 'bad',
    explains: 'All attempts to an endpoint failed. Redeliver it or replay the event.',
  },
  no_endpoint: {
    text: 'No endpoint',
    tone: 'quiet',
    explains: 'The rules let it pass, but no endpoint was there to get it.',
  },
  dropped: { text: 'Dropped', tone: 'quiet', explains: 'A rule dropped the event, so nobody gets it.' },
  not_decided: { text: 'Not decided', tone: 'busy', explains: 'The rules have not been evaluated yet.' },
} as const satisfies Record<string, Status>;

/** @param failing - Endpoints that the newest delivery did not reach. */
export const outcomeStatus = (outcome: keyof typeof OUTCOMES, failing: number): Status =>
  outcome === 'failing'
    ? { ...OUTCOMES.failing, text: `${counted(failing, 'endpoint')} failing` }
    : OUTCOMES[outcome];
