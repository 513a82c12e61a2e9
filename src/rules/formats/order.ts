/** Order comparisons as other systems make them, where they order the same here. */
import { numberIn } from '../values/index.js';
import { all, any, isNotText, isNumberOrOther, leaf, missing, type Place } from './leaves.js';
import { type Answer, refuse } from './part.js';

export type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte';

/** The operator that holds for other numbers, and other texts. */
export const OPPOSITES = { gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' } as const;

/** The side of the value that an operator accepts when the sides are exchanged. */
export const MIRRORED = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte' } as const;

/** How another system orders values. */
export interface Ordering {
  /** Whether it converts values to numbers, as JavaScript's `<` does: `" 5"`, `[5]`, `true`, and `null` to 0. */
  readonly converts: boolean;
  /** Whether it orders texts by UTF-16 unit, not by code point. */
  readonly byUnit: boolean;
}

/** Text that orders alike by unit and by code point, whatever it is compared with. */
const BELOW_SURROGATES = /^[\0-\ud7ff]*$/;

/** Whether the value is greater or less than a bound. An absent one is not. */
export function isOrdered(place: Place, op: OrderOperator, bound: unknown, ordering: Ordering): Answer {
  const { path, kinds, starred, negated } = place;
  if (typeof bound !== 'number' && typeof bound !== 'string') {
    return refuse('only numbers and texts are ordered here');
  }
  const reason = whyNotOrdered(place, bound, ordering);
  if (reason !== null) return refuse(reason);
  if (negated) return isNotOrdered(place, op, bound);
  const holds = leaf(path, op, bound);
  if (kinds || typeof bound === 'string') return holds;
  if (!starred) return all(holds, isNumberOrOther(path));
  return refuse(
    `in an array, 5 and "5" are alike here; if ${path} are numbers, import with assume: ['kinds']`,
  );
}

function whyNotOrdered(
  { path, kinds }: Place,
  bound: number | string,
  { converts, byUnit }: Ordering,
): string | null {
  if (converts && !kinds) {
    const [others, kind] =
      typeof bound === 'number'
        ? ['texts such as " 5" and "0x5", and [5]', 'a number']
        : ['arrays and objects as texts', 'a text'];
    return `this also orders ${others}; if ${path} is ${kind} in all events, import with assume: ['kinds']`;
  }
  if (typeof bound === 'number') return null;
  if (numberIn(bound) !== undefined || (converts && !Number.isNaN(Number(bound)))) {
    return `${JSON.stringify(bound)} spells a number, so it is ordered as a number here, not as a text`;
  }
  return byUnit && !BELOW_SURROGATES.test(bound)
    ? 'texts are ordered by code point here, not by UTF-16 unit, which differs for this one'
    : null;
}

function isNotOrdered({ path, kinds, starred }: Place, op: OrderOperator, bound: number | string): Answer {
  if (starred) return refuse('that no element is above or below a bound cannot be asked here');
  const opposite = leaf(path, OPPOSITES[op], bound);
  if (kinds) return any(missing(path), leaf(path, 'eq', null), opposite);
  if (typeof bound === 'string') return any(missing(path), ...isNotText(path), opposite);
  return refuse(
    `a value that is not a number cannot be told from one here; if ${path} is a number in all events, import with assume: ['kinds']`,
  );
}
