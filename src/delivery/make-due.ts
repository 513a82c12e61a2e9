/** Making deliveries due at once that wait for a later attempt. */
import { assertMembers, type Checks, instant, integer, invalid, optional, text, texts } from './arguments.js';

/** Selects pending deliveries: by at least one condition, all of which must hold. */
export interface PendingFilter {
  /** Ids of deliveries. */
  readonly ids?: readonly string[];
  /** To this endpoint. */
  readonly endpointId?: string;
}

/** When, and how many at once. */
export interface MakeDueOptions {
  /** The new `due_at` of those that are due later: usually the current time; Unix ms. */
  readonly at: number;
  /**
   * Most deliveries changed, those due earliest first: 1 to 100,000. Other writers may have to wait for them.
   * @defaultValue `1_000`
   */
  readonly limit?: number;
}

/** Makes pending deliveries due. */
export interface DueDates {
  /**
   * Makes pending deliveries due that wait for a later attempt: an operator who does not want to wait sends them now,
   * and those of an endpoint that was deleted fail now. Leased and finished ones are skipped, and so are those that are
   * waiting behind others of their key. Wake the scheduler afterwards.
   *
   * @param filter - Which deliveries; one without a condition is refused.
   * @param options - When, and how many at once.
   * @returns How many were changed: call it again as long as that is the limit.
   * @throws {@link OptionError} `invalid_option` (as a rejection) for an invalid filter or option.
   */
  makeDue(filter: PendingFilter, options: MakeDueOptions): Promise<number>;
}

const CONDITIONS: Checks<PendingFilter> = { ids: optional(texts), endpointId: optional(text) };
const OPTIONS: Checks<MakeDueOptions> = { at: instant, limit: optional(integer(1, 100_000)) };

/**
 * The checked arguments of `makeDue`, with defaults filled in.
 *
 * @throws {@link OptionError} `invalid_option`, naming what to give.
 */
export function readMakeDue(filter: unknown, options: unknown): PendingFilter & Required<MakeDueOptions> {
  assertMembers<PendingFilter>('filter', filter, CONDITIONS, 'condition');
  const { ids, endpointId } = filter;
  if (ids === undefined && endpointId === undefined) throw invalid('filter is empty: give ids or endpointId');
  assertMembers<MakeDueOptions>('makeDue', options, OPTIONS);
  const { at, limit = 1_000 } = options;
  return { ...filter, at, limit };
}
