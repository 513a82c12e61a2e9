/** The states of deliveries: of those in the library's tables, the API shows three as `pending`. */

/** The stored states of a delivery that has not ended: due some time, under way, or behind another one of its key. */
export const PENDING_STATES = ['pending', 'leased', 'waiting'] as const;
/** All stored states. */
export const STATES = [...PENDING_STATES, 'delivered', 'failed'] as const;

/**
 * Deliveries that are not under way, in SQL, and in the words of the indexes by project and endpoint. Those under way
 * are few, at most as many as the slots of all processes, and are not in these indexes.
 */
export const NOT_UNDER_WAY = STATES.filter((state) => state !== 'leased')
  .map((state) => `state = '${state}'`)
  .join(' or ');

/** The state that the API shows, in SQL. */
export const SHOWN_STATE = `case when state in ('leased', 'waiting') then 'pending' else state end`;

/** The state that the API shows. */
export const shownState = (state: (typeof STATES)[number]): 'pending' | 'delivered' | 'failed' =>
  state === 'leased' || state === 'waiting' ? 'pending' : state;
