/** The dead-letter queue: deliveries that failed for good, until they are redelivered or discarded. */
import {
  assertMembers,
  calendarInstant,
  type Checks,
  instant,
  integer,
  invalid,
  isPlainObject,
  onlyTrue,
  optional,
  text,
  texts,
} from './arguments.js';
import { type ColumnValues, columnValues } from './columns.js';
import type { Delivery, ReplayOptions } from './delivery.js';

/** Conditions on dead letters, all of which must hold. Other members are refused, and so is `undefined` as a value. */
export interface DeadLetterFilter {
  /** Ids of deliveries. */
  readonly ids?: readonly string[];
  /** To this endpoint. */
  readonly endpointId?: string;
  /** Events of this type. */
  readonly eventType?: string;
  /** Failed at this instant or later; Unix ms. */
  readonly failedFrom?: number;
  /** Failed before this instant; Unix ms. */
  readonly failedBefore?: number;
  /** With these values in the store's columns; `null` selects letters without a value. At least one column. */
  readonly columns?: ColumnValues;
}

/** Selects all dead letters explicitly. `discard` asks for it, since it cannot be undone. */
export interface AllDeadLetters {
  readonly all: true;
}

/** At least one condition. */
export type DeadLetterCondition = {
  [Key in keyof DeadLetterFilter]-?: DeadLetterFilter & Required<Pick<DeadLetterFilter, Key>>;
}[keyof DeadLetterFilter];

/** The start and length of a page. */
export interface DeadLetterPageOptions {
  /** The `next` of the previous page; left out, the first page. */
  readonly cursor?: string;
  /**
   * Most letters on the page: 1 to 10,000.
   * @defaultValue `100`
   */
  readonly limit?: number;
}

/** A page of dead letters. */
export interface DeadLetterPage {
  /** Newest failure first. */
  readonly letters: readonly Delivery[];
  /** Cursor of the following page; `null` on the last one. */
  readonly next: string | null;
}

/**
 * Failed deliveries. Every method is atomic and does not read the clock. `DeliveryStore.get` returns one with all its
 * attempts.
 */
export interface DeadLetters {
  /**
   * One page, newest failure first. No letter appears on two pages, whatever is added or removed between them.
   *
   * @param filter - Selects the letters; `{}` selects all.
   * @param page - The page to read.
   * @throws {@link OptionError} `invalid_option` (as a rejection) for a cursor that is not the `next` of a page. Like
   * every method here, also for an invalid filter.
   */
  list(filter: DeadLetterFilter, page?: DeadLetterPageOptions): Promise<DeadLetterPage>;
  /**
   * The number of dead letters.
   *
   * @param filter - Selects the letters; `{}` selects all.
   */
  count(filter: DeadLetterFilter): Promise<number>;
  /**
   * Sends dead letters again: each leaves the queue, and a new delivery of its event with origin `replay` is due at
   * once. The new delivery has the letter's body, as the rules made it then. To apply today's rules instead, enqueue
   * the event again with `replay` and discard the letter. A letter stays when the store already has a delivery with the
   * id of its replay, so the same action never sends it twice. If the letter holds its ordering key, the new delivery
   * holds it from then on.
   *
   * @param filter - Selects the letters; `{}` selects all.
   * @param options - When, and by which action.
   * @returns The number of new deliveries.
   */
  redeliver(filter: DeadLetterFilter, options: ReplayOptions): Promise<number>;
  /**
   * Discards dead letters: they leave the queue, and their records are kept for as long as those of delivered ones. The
   * next delivery of an ordering key that a letter held is due at once: wake the scheduler.
   *
   * @param filter - Selects the letters; `{ all: true }` selects all.
   * @returns The number of discarded letters.
   * @throws {@link OptionError} `invalid_option` (as a rejection) for a filter without any condition.
   */
  discard(filter: DeadLetterCondition | AllDeadLetters): Promise<number>;
}

/** The cursor of a page of letters: when the last one failed, then its id. */
export interface LetterCursor {
  /** Unix ms. */
  readonly failedAt: number;
  /** A delivery's id. */
  readonly id: string;
}

const CONDITIONS: Checks<DeadLetterFilter> = {
  ids: optional(texts),
  endpointId: optional(text),
  eventType: optional(text),
  failedFrom: optional(calendarInstant),
  failedBefore: optional(calendarInstant),
  columns: optional(columnValues),
};
/** The explicit selection of all letters, for `discard` alone. */
const ALL: Checks<AllDeadLetters> = { all: onlyTrue };

/**
 * Checks a filter; every store calls this first.
 *
 * @param filter - The host's argument.
 * @returns Its conditions; none for all letters.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function parseDeadLetterFilter(filter: unknown): DeadLetterFilter {
  if (hasAll(filter)) throw invalid('filter: all is for discard; give {} for every dead letter');
  assertMembers<DeadLetterFilter>('filter', filter, CONDITIONS, 'condition');
  const unset = Object.entries(filter).find(([, value]) => value === undefined);
  if (unset !== undefined) throw invalid(`${unset[0]} is undefined: give a value, or leave it out`);
  // An empty condition would select every letter, which nobody means.
  if (filter.columns !== undefined && Object.keys(filter.columns).length === 0) {
    throw invalid('columns is empty: give a value for at least one column, or leave it out');
  }
  return filter;
}

/**
 * Checks a filter of letters to discard.
 *
 * @param filter - The host's argument.
 * @throws {@link OptionError} `invalid_option`, also for a filter without any condition.
 */
export function parseDiscardFilter(filter: unknown): DeadLetterFilter {
  if (!hasAll(filter)) {
    const conditions = parseDeadLetterFilter(filter);
    if (Object.keys(conditions).length > 0) return conditions;
    throw invalid('filter is empty: give a condition, or { all: true } to discard every dead letter');
  }
  if (Object.keys(filter).length > 1) throw invalid('filter: give conditions or { all: true }, not both');
  assertMembers<AllDeadLetters>('filter', filter, ALL, 'condition');
  return {};
}

const hasAll = (filter: unknown): filter is object => isPlainObject(filter) && 'all' in filter;

const REPLAY: Checks<ReplayOptions> = { at: instant, replay: text, columns: optional(columnValues) };

/**
 * Checks the options of `redeliver`.
 *
 * @param options - The host's argument.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function readReplay(options: unknown): ReplayOptions {
  assertMembers<ReplayOptions>('redeliver', options, REPLAY);
  return options;
}

/** @param letter - The last one of a page. */
const cursorAfter = ({ finished_at, id }: Delivery): string => `${finished_at ?? 0} ${id}`;

const MAX_PAGE_SIZE = 10_000;
const PAGE: Checks<DeadLetterPageOptions> = {
  cursor: optional(text),
  limit: optional(integer(1, MAX_PAGE_SIZE)),
};

/**
 * Checks the options of a page.
 *
 * @param options - The host's argument.
 * @returns The cursor before which the page begins, null for the first page, and the most letters on it.
 * @throws {@link OptionError} `invalid_option` for a cursor that is not the `next` of a page, or an invalid limit.
 */
export function readPage(options: unknown): {
  readonly before: LetterCursor | null;
  readonly limit: number;
} {
  assertMembers<DeadLetterPageOptions>('page', options, PAGE);
  const { cursor, limit = 100 } = options;
  return { before: cursor === undefined ? null : readCursor(cursor), limit };
}

function readCursor(cursor: string): LetterCursor {
  const space = cursor.indexOf(' ');
  const failedAt = Number(cursor.slice(0, space));
  if (space < 1 || !Number.isSafeInteger(failedAt)) {
    throw invalid('cursor: give the `next` of an earlier page, or leave it out');
  }
  return { failedAt, id: cursor.slice(space + 1) };
}

/**
 * A page of letters.
 *
 * @param letters - Newest failure first; one more than fits on the page, if there is one, so that another page follows.
 * @param limit - Most letters on the page.
 */
export function pageOf(letters: readonly Delivery[], limit: number): DeadLetterPage {
  const page = letters.slice(0, limit);
  const last = page.at(-1);
  return { letters: page, next: letters.length > limit && last !== undefined ? cursorAfter(last) : null };
}
