/** The dead-letter queue: deliveries that failed for good, until somebody sends them again or throws them away. */
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
import type { Delivery, ReplayOptions } from './delivery.js';

/** Conditions on dead letters: those that meet every one given. Anything but these is refused, `undefined` too. */
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
}

/** All of them, in so many words: what cannot be taken back asks for it. */
export interface AllDeadLetters {
  readonly all: true;
}

/** At least one condition. */
export type DeadLetterCondition = {
  [Key in keyof DeadLetterFilter]-?: DeadLetterFilter & Required<Pick<DeadLetterFilter, Key>>;
}[keyof DeadLetterFilter];

/** Where a page begins and how long it is. */
export interface DeadLetterPageOptions {
  /** The `next` of the page before; left out, the first page. */
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
  /** Cursor of the page that follows; `null` on the last one. */
  readonly next: string | null;
}

/**
 * Failed deliveries. Every method is atomic, none reads the clock. `DeliveryStore.get` gives one with all its
 * attempts.
 */
export interface DeadLetters {
  /**
   * One page, newest failure first. No letter is on two pages, whatever fails or goes while somebody turns them.
   *
   * @param filter - Which; `{}` is all.
   * @param page - Where to begin.
   * @throws {@link OptionError} `invalid_option` (as a rejection) for a cursor that no page gave, and, as everywhere here,
   * for what is no filter.
   */
  list(filter: DeadLetterFilter, page?: DeadLetterPageOptions): Promise<DeadLetterPage>;
  /**
   * How many there are.
   *
   * @param filter - Which; `{}` is all.
   */
  count(filter: DeadLetterFilter): Promise<number>;
  /**
   * Sends dead letters again: each leaves the queue, and a new delivery with origin `replay` takes its event up,
   * due at once. It carries the letter's own body, as the rules made it then: to send what they make now, enqueue the
   * event anew with `replay` and discard the letter. A letter stays when the store already knows a delivery with the
   * id of its replay: the same action never sends twice.
   *
   * @param filter - Which; `{}` is all.
   * @param options - When, and by which action.
   * @returns How many new deliveries there are.
   */
  redeliver(filter: DeadLetterFilter, options: ReplayOptions): Promise<number>;
  /**
   * Throws dead letters away, and with them their hold on their bodies.
   *
   * @param filter - Which; `{ all: true }` is all.
   * @returns How many went.
   * @throws {@link OptionError} `invalid_option` (as a rejection) for a filter without any condition.
   */
  discard(filter: DeadLetterCondition | AllDeadLetters): Promise<number>;
}

/** Place of a letter in the queue: when it failed, then its id. */
export interface LetterPlace {
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
};
/** Their words for all, which only what throws letters away asks for. */
const ALL: Checks<AllDeadLetters> = { all: onlyTrue };

/**
 * The one place where stores read a filter.
 *
 * @param filter - As the host gave it.
 * @returns Its conditions; none for all letters.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function readFilter(filter: unknown): DeadLetterFilter {
  if (hasAll(filter)) throw invalid('filter: all is for discard; give {} for every dead letter');
  assertMembers<DeadLetterFilter>('filter', filter, CONDITIONS, 'condition');
  const unset = Object.entries(filter).find(([, value]) => value === undefined);
  if (unset !== undefined) throw invalid(`${unset[0]} is undefined: give a value, or leave it out`);
  return filter;
}

/**
 * A filter of letters that are to be thrown away.
 *
 * @param filter - As the host gave it.
 * @throws {@link OptionError} `invalid_option` also where it says nothing.
 */
export function readDiscardFilter(filter: unknown): DeadLetterFilter {
  if (!hasAll(filter)) {
    const conditions = readFilter(filter);
    if (Object.keys(conditions).length > 0) return conditions;
    throw invalid('filter is empty: give a condition, or { all: true } to discard every dead letter');
  }
  if (Object.keys(filter).length > 1) throw invalid('filter: give conditions or { all: true }, not both');
  assertMembers<AllDeadLetters>('filter', filter, ALL, 'condition');
  return {};
}

const hasAll = (filter: unknown): filter is object => isPlainObject(filter) && 'all' in filter;

const REPLAY: Checks<ReplayOptions> = { at: instant, replay: text };

/**
 * When and by which action letters are sent again.
 *
 * @param options - As the host gave them.
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function readReplay(options: unknown): ReplayOptions {
  assertMembers<ReplayOptions>('redeliver', options, REPLAY);
  return options;
}

/** @param letter - The last one of a page. */
const cursorAfter = ({ finished_at, id }: Delivery): string => `${finished_at ?? 0} ${id}`;

const MOST_ON_A_PAGE = 10_000;
const PAGE: Checks<DeadLetterPageOptions> = {
  cursor: optional(text),
  limit: optional(integer(1, MOST_ON_A_PAGE)),
};

/**
 * The page that is asked for: letters before a place, or all.
 *
 * @param options - As the host gave them.
 * @throws {@link OptionError} `invalid_option` for a cursor that no page gave, or a limit that is no count.
 */
export function readPage(options: unknown): {
  readonly before: LetterPlace | null;
  readonly limit: number;
} {
  assertMembers<DeadLetterPageOptions>('page', options, PAGE);
  const { cursor, limit = 100 } = options;
  return { before: cursor === undefined ? null : readCursor(cursor), limit };
}

function readCursor(cursor: string): LetterPlace {
  const space = cursor.indexOf(' ');
  const failedAt = Number(cursor.slice(0, space));
  if (space < 1 || !Number.isSafeInteger(failedAt)) {
    throw invalid('cursor: give the `next` of an earlier page, or leave it out');
  }
  return { failedAt, id: cursor.slice(space + 1) };
}

/**
 * A page out of letters of which one more was read than it may hold: that one tells whether another page follows.
 *
 * @param letters - Newest failure first.
 * @param limit - Most on the page.
 */
export function pageOf(letters: readonly Delivery[], limit: number): DeadLetterPage {
  const page = letters.slice(0, limit);
  const last = page.at(-1);
  return { letters: page, next: letters.length > limit && last !== undefined ? cursorAfter(last) : null };
}
