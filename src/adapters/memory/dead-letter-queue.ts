/** Failed deliveries in the order of their failure, and pages through them. */
import {
  type DeadLetterFilter,
  type DeadLetterPage,
  type DeadLetterPageOptions,
  type LetterCursor,
  pageOf,
  readPage,
} from '../../delivery/dead-letters.js';
import type { Delivery } from '../../delivery/delivery.js';
import type { Row } from './endpoint-queues.js';
import { lowerBound } from '../../sorted.js';

const cursorOf = ({ finished_at, id }: Delivery): LetterCursor => ({ failedAt: finished_at ?? 0, id });
const isBefore = (a: LetterCursor, b: LetterCursor): boolean =>
  a.failedAt < b.failedAt || (a.failedAt === b.failedAt && a.id < b.id);

/** The dead letters of one memory store, sorted with the oldest failure first. The ledger makes it and changes it. */
export class DeadLetterQueue {
  #rows: Row[] = [];
  readonly #keep: number;

  /** @param keep - Most letters to keep. */
  constructor(keep: number) {
    this.#keep = keep;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** Adds a letter; returns the oldest, removed, when there is one too many. */
  add(row: Row): Row | undefined {
    this.#rows.splice(this.#positionOf(cursorOf(row.delivery)), 0, row);
    return this.#rows.length > this.#keep ? this.#rows.shift() : undefined;
  }

  remove(rows: ReadonlySet<Row>): void {
    this.#rows = this.#rows.filter((row) => !rows.has(row));
  }

  /** Letters that meet the filter, oldest first. */
  select(filter: DeadLetterFilter): readonly Row[] {
    const meets = predicate(filter);
    return this.#rows.filter((row) => meets(row.delivery));
  }

  page(filter: DeadLetterFilter, options: DeadLetterPageOptions): DeadLetterPage {
    const { before, limit } = readPage(options);
    const meets = predicate(filter);
    const letters: Delivery[] = [];
    let at = before === null ? this.#rows.length : this.#positionOf(before);
    while (at > 0 && letters.length <= limit) {
      const delivery = this.#rows[--at]?.delivery;
      if (delivery !== undefined && meets(delivery)) letters.push(delivery);
    }
    return pageOf(letters, limit);
  }

  /** Number of letters before a cursor, by binary search. */
  #positionOf(cursor: LetterCursor): number {
    return lowerBound(this.#rows.length, (at) => {
      const row = this.#rows[at];
      return row !== undefined && isBefore(cursorOf(row.delivery), cursor);
    });
  }
}

function predicate(filter: DeadLetterFilter): (delivery: Delivery) => boolean {
  const { endpointId, eventType, failedFrom = -Infinity, failedBefore = Infinity } = filter;
  const values = Object.entries(filter.columns ?? {});
  const ids = filter.ids === undefined ? null : new Set(filter.ids);
  return ({ id, endpoint_id, event_type, finished_at, columns }) => {
    const failedAt = finished_at ?? 0;
    if (ids !== null && !ids.has(id)) return false;
    if (endpointId !== undefined && endpoint_id !== endpointId) return false;
    if (eventType !== undefined && event_type !== eventType) return false;
    if (values.some(([name, value]) => (columns?.[name] ?? null) !== value)) return false;
    return failedAt >= failedFrom && failedAt < failedBefore;
  };
}
