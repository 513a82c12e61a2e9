/** Failed deliveries in the order of their failure, and pages through them. */
import type { DeadLetterFilter, DeadLetterPage, DeadLetterPageOptions } from '../../delivery/dead-letters.js';
import type { Delivery } from '../../delivery/delivery.js';
import { OptionError } from '../../errors.js';
import type { Row } from './lanes.js';

/** Place of a letter: when it failed, then its id. */
type Place = readonly [failedAt: number, id: string];

const placeOf = ({ finished_at, id }: Delivery): Place => [finished_at ?? 0, id];
const isBefore = (a: Place, b: Place): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

/** Sorted, oldest failure first; letters nearly always arrive at the end. */
export class DeadLetterQueue {
  #rows: Row[] = [];
  readonly #keep: number;

  /** @param keep - Most letters. */
  constructor(keep: number) {
    this.#keep = keep;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** Gives back the oldest when there is one too many. */
  add(row: Row): Row | undefined {
    this.#rows.splice(this.#positionOf(placeOf(row.delivery)), 0, row);
    return this.#rows.length > this.#keep ? this.#rows.shift() : undefined;
  }

  remove(rows: ReadonlySet<Row>): void {
    this.#rows = this.#rows.filter((row) => !rows.has(row));
  }

  /** Those that meet the filter, oldest first. */
  select(filter: DeadLetterFilter): readonly Row[] {
    const meets = predicate(filter);
    return this.#rows.filter((row) => meets(row.delivery));
  }

  page(filter: DeadLetterFilter, { cursor, limit = 100 }: DeadLetterPageOptions): DeadLetterPage {
    if (!Number.isInteger(limit) || limit < 1) {
      throw new OptionError('invalid_option', `limit is ${String(limit)}: give a positive integer`);
    }
    const meets = predicate(filter);
    const letters: Delivery[] = [];
    let at = cursor === undefined ? this.#rows.length : this.#positionOf(parseCursor(cursor));
    while (at > 0 && letters.length <= limit) {
      const delivery = this.#rows[--at]?.delivery;
      if (delivery !== undefined && meets(delivery)) letters.push(delivery);
    }
    // One more than asked for tells whether a page follows.
    if (letters.length <= limit) return { letters, next: null };
    letters.pop();
    const last = letters.at(-1);
    return { letters, next: last === undefined ? null : placeOf(last).join(' ') };
  }

  /** How many letters are before a place, by halving. */
  #positionOf(place: Place): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = this.#rows[middle];
      if (row !== undefined && isBefore(placeOf(row.delivery), place)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function parseCursor(cursor: string): Place {
  const space = cursor.indexOf(' ');
  const failedAt = Number(cursor.slice(0, space));
  if (space < 1 || !Number.isFinite(failedAt)) {
    throw new OptionError('invalid_option', 'cursor: give the `next` of an earlier page, or leave it out');
  }
  return [failedAt, cursor.slice(space + 1)];
}

function predicate(filter: DeadLetterFilter): (delivery: Delivery) => boolean {
  const { endpointId, eventType, failedFrom = -Infinity, failedBefore = Infinity } = filter;
  const ids = filter.ids === undefined ? null : new Set(filter.ids);
  return ({ id, endpoint_id, event_type, finished_at }) => {
    const failedAt = finished_at ?? 0;
    if (ids !== null && !ids.has(id)) return false;
    if (endpointId !== undefined && endpoint_id !== endpointId) return false;
    if (eventType !== undefined && event_type !== eventType) return false;
    return failedAt >= failedFrom && failedAt < failedBefore;
  };
}
