/** The names of states, and the tone in which each is shown. Every colour has a text beside it. */

/** `good` and `bad` are outcomes; `busy` is under way; `warn` asks for attention; `quiet` is neither good nor bad. */
export type Tone = 'good' | 'bad' | 'busy' | 'warn' | 'quiet';

/** A state in words. */
export interface Status {
  readonly text: string;
  readonly tone: Tone;
  /** A sentence that explains it. */
  readonly explains: string;
}

/** The states of a delivery. */
export const DELIVERY_STATES = {
  pending: {
    text: 'Pending',
    tone: 'busy',
    explains: 'An attempt is under way, or the next one waits for its time.',
  },
  delivered: { text: 'Delivered', tone: 'good', explains: 'The endpoint answered with success.' },
  failed: {
    text: 'Failed',
    tone: 'bad',
    explains: 'All attempts failed. It is a dead letter, which can be redelivered.',
  },
} as const satisfies Record<string, Status>;

/** The states of an endpoint. */
export const ENDPOINT_STATUSES = {
  active: { text: 'Active', tone: 'good', explains: 'Deliveries are sent.' },
  paused: {
    text: 'Paused',
    tone: 'warn',
    explains: 'New events skip it. Retries that are scheduled still run.',
  },
} as const satisfies Record<string, Status>;

/** The four actions of rules. */
export const ACTIONS = {
  drop: { text: 'Drop', tone: 'quiet', explains: 'Nobody gets the event; it is kept and shown as dropped.' },
  transform: { text: 'Transform', tone: 'busy', explains: 'The data is changed before it is delivered.' },
  route_only: { text: 'Route', tone: 'busy', explains: 'Only the endpoints that are named get the event.' },
  tag: { text: 'Tag', tone: 'busy', explains: 'Tags are added, by which events can be found.' },
} as const satisfies Record<string, Status>;

/** The plans. */
export const PLANS = { hobby: 'Hobby', hacker: 'Hacker', pro: 'Pro', scale: 'Scale' } as const;

/** A state of a table; one that the table does not know is shown as it is. */
export const statusOf = (table: Readonly<Record<string, Status>>, name: string): Status =>
  (Object.hasOwn(table, name) ? table[name] : undefined) ?? { text: name, tone: 'quiet', explains: '' };
