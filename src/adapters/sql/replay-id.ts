/** Ids of replays in SQL, equal to those that `deliveryId` makes. */
import { escapeIdPart, ID_ESCAPES } from '../../delivery/delivery.js';
import { storable } from './text.js';

const partOf = (column: string): string =>
  ID_ESCAPES.reduce((sql, [from, to]) => `replace(${sql}, '${from}', '${to}')`, column);

/**
 * The id of a replay of the row's event to the row's endpoint.
 *
 * @param action - Placeholder of what {@link replayAction} gives.
 */
export const replayId = (action: string): string =>
  `${partOf('event_id')} || ':' || ${partOf('endpoint_id')} || ':' || ${action}`;

/** The operator's action as the last part of an id. */
export const replayAction = (replay: string): string => storable(escapeIdPart(replay));
