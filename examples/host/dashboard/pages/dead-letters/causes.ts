/** Dead letters grouped by why they failed, over the whole filter and not only what is shown. */
import { api } from '../../data/index.js';
import { CAUSES, type Cause, causeOf } from '../../words/causes.js';
import { type LetterFilter, statusRange } from './filter.js';

/** The letters of one cause. */
export interface Group extends Cause {
  readonly count: number;
  /** The filter in the address that shows these letters alone. */
  readonly query: Readonly<Record<'failure' | 'status_from' | 'status_to', string>>;
}

/** A cause that is counted. */
interface Kind {
  readonly failure: keyof typeof CAUSES;
  readonly status_from?: number;
  readonly status_to?: number;
}

/** Classes of statuses, the frequent ones first. */
const CLASSES = [
  [500, 599],
  [400, 499],
  [300, 399],
  [600, 999],
] as const;
const CLASS_CURES: Readonly<Record<number, Omit<Cause, 'text'>>> = {
  400: {
    cause: 'The receiver refuses the requests.',
    cure: 'After 400, 401 or 403, compare its secret with that of the event’s channel: each channel has its own. After 404, check the path; after 429, set a rate limit.',
  },
  500: {
    cause: 'The receivers failed.',
    cure: 'Look at their logs for the time of the attempts.',
  },
};

/** The causes that a filter leaves. */
function kindsOf({ failure, status_from: least = 100, status_to: most = 999 }: LetterFilter): Kind[] {
  const classes = CLASSES.map(([from, to]) => ({
    ...{ failure: 'http_status' as const, status_from: Math.max(from, least), status_to: Math.min(to, most) },
  })).filter(({ status_from, status_to }) => status_from <= status_to);
  const others = (Object.keys(CAUSES) as Kind['failure'][])
    .filter((code) => code !== 'http_status')
    .map((code) => ({ failure: code }));
  return [...classes, ...others].filter((kind) => failure === undefined || kind.failure === failure);
}

/** Counts cause by cause until all letters are found; the largest first. */
export async function countGroups(
  project: string,
  filter: LetterFilter,
  total: number,
  signal: AbortSignal,
): Promise<readonly Group[]> {
  const groups: Group[] = [];
  let left = total;
  for (const kind of kindsOf(filter)) {
    if (left <= 0) break;
    const { count } = await api.countDeadLetters({ project, query: { ...filter, ...kind }, signal });
    left -= count;
    if (count > 0) groups.push(groupOf(kind, count));
  }
  return groups.sort((a, b) => b.count - a.count);
}

function groupOf(kind: Kind, count: number): Group {
  const { failure, status_from: least, status_to: most } = kind;
  const query = { failure, status_from: `${least ?? ''}`, status_to: `${most ?? ''}` };
  return { ...inWords(failure, least, most), count, query };
}

function inWords(failure: string, least: number | undefined, most: number | undefined): Cause {
  if (least === undefined || least === most) return causeOf(failure, least ?? null);
  const isWhole = least % 100 === 0 && most === least + 99;
  const text = isWhole ? `HTTP ${least / 100}xx` : `HTTP ${statusRange(least, most)}`;
  const known = CLASS_CURES[Math.floor(least / 100) * 100];
  return { ...causeOf(failure, least), ...known, text };
}
