/** An attempt with its exchange in words and shares, as the page shows it. Pure. */
import type { Output } from '../../data/index.js';
import { bytes } from '../../words/numbers.js';
import { duration } from '../../words/time.js';

export type WholeAttempt = Output<'getAttempt'>;
export type Exchange = NonNullable<WholeAttempt['exchange']>;
export type Content = Exclude<NonNullable<Exchange['request']>['body'], null>;

/** Why there is nothing to show. */
export const MISSING: Readonly<Record<NonNullable<WholeAttempt['exchange_missing']>, string>> = {
  nothing_sent: 'Nothing was sent, so there is no request and no response.',
  not_kept:
    'The request and the response were not kept. Either the endpoint was set not to keep them, or an older version of the service made this attempt.',
  sealed: 'The request and the response are encrypted with a key that this service no longer has.',
};

export const NO_BODY =
  'The body is no longer known. It was that of an alert, or this delivery repeats one that is deleted.';

/** Why there is no response. */
export const noResponse = ({ failure }: Pick<WholeAttempt, 'failure'>): string =>
  failure === 'timeout'
    ? 'The receiver did not answer in time.'
    : 'The receiver did not answer: the headers of a response never arrived in full.';

/** A part of the time that an attempt took. */
export interface Step {
  readonly name: string;
  readonly text: string;
  /** Its beginning, and its length, as shares of the whole: from 0 to 1. */
  readonly from: number;
  readonly share: number;
}

const STEPS = [
  ['dns_ms', 'DNS'],
  ['connect_ms', 'Connect'],
  ['tls_ms', 'TLS'],
  ['first_byte_ms', 'First byte'],
] as const;

/** Less than this rounds to nothing. */
const LEAST_MS = 0.05;

/** The steps that were taken, in their order, and what is left of the total. */
export function stepsOf({
  timings,
  request,
  response,
}: Pick<Exchange, 'timings' | 'request' | 'response'>): readonly Step[] {
  const taken = STEPS.flatMap<{ name: string; ms: number }>(([key, name]) => {
    const ms = timings[key];
    return ms === null ? [] : [{ name, ms }];
  });
  const sum = taken.reduce((all, { ms }) => all + ms, 0);
  const rest = (timings.total_ms ?? sum) - sum;
  const waiting = request === null ? 'Connecting' : 'Waiting';
  if (rest >= LEAST_MS) taken.push({ name: response === null ? waiting : 'Everything else', ms: rest });
  const whole = taken.reduce((all, { ms }) => all + ms, 0);
  let from = 0;
  return taken.map(({ name, ms }) => {
    const share = whole === 0 ? 0 : ms / whole;
    const step = { name, text: msText(ms), from, share };
    from += share;
    return step;
  });
}

/** Whether the request went over a connection that was there already. */
export const isReused = ({ request, timings }: Pick<Exchange, 'request' | 'timings'>): boolean =>
  request !== null && timings.dns_ms === null && timings.connect_ms === null && timings.tls_ms === null;

/** Such as `0.4 ms`, `12 ms`, `2.4 s`. */
export const msText = (ms: number): string => (ms < 10 ? `${Number(ms.toFixed(1))} ms` : duration(ms));

export const sizeOf = ({ encoding, text }: Content): number =>
  encoding === 'base64' ? atob(text).length : new TextEncoder().encode(text).length;

/** Most bytes of a response that are kept. */
const KEPT_BYTES = 16_384;

/** Sentences about a body that is empty, cut or not text. */
export function notesOf(
  body: Content,
  headers: readonly { readonly name: string; readonly value: string }[],
  isComplete = true,
): readonly string[] {
  const size = sizeOf(body);
  const coded = headers.find(({ name }) => name.toLowerCase() === 'content-encoding')?.value;
  const cut =
    size >= KEPT_BYTES
      ? 'The body was longer: only its first 16 KiB are kept.'
      : `The body did not end in time: these are the ${bytes(size)} that arrived.`;
  return [
    ...(isComplete ? [] : [cut]),
    ...(body.encoding === 'base64' ? [notText(coded)] : []),
    ...(size === 0 && isComplete ? ['The body is empty.'] : []),
  ];
}

const notText = (coded: string | undefined): string =>
  coded === undefined
    ? 'The body is not text. It is shown as base64.'
    : `The body is compressed (${coded}). It is shown as it came, as base64.`;

/** The value of a JSON object or array; undefined for any other text. */
export function structureOf({ encoding, text }: Content): unknown {
  if (encoding !== 'utf8' || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
