/** Rate limits of endpoints. Each has a token bucket that fills steadily; every attempt takes one token. */
import { kindOf } from './arguments.js';
import { invalidPolicy } from './retry.js';

/** One attempt an hour. */
const MIN_PER_SECOND = 1 / 3_600;
const MAX_PER_SECOND = 10_000;

/** @throws {@link OptionError} `invalid_policy` for a rate out of bounds. */
export function assertRate(perSecond: unknown): asserts perSecond is number | null {
  // A bigint would pass the comparisons.
  const isNumber = typeof perSecond === 'number';
  if (perSecond === null || (isNumber && perSecond >= MIN_PER_SECOND && perSecond <= MAX_PER_SECOND)) return;
  const given = kindOf(perSecond);
  throw invalidPolicy(
    `rate_limit_per_second is ${given}: give a number from 1/3600 to ${MAX_PER_SECOND}, or null`,
  );
}

/** The token bucket of an endpoint. It holds the tokens of one second, and at least one. */
interface Bucket {
  perSecond: number;
  /** Tokens at `at`, including a fraction of the next one. */
  tokens: number;
  /** Unix ms. */
  at: number;
  /** Tokens that the last claim was offered and did not use; 0 when more may wait than there are tokens. */
  unused: number;
}

const sizeOf = ({ perSecond }: Bucket): number => Math.max(perSecond, 1);

/** Adds the tokens that have come since `bucket.at`. A clock that was set back adds none and takes none. */
function fill(bucket: Bucket, at: number): void {
  const came = (Math.max(at - bucket.at, 0) * bucket.perSecond) / 1_000;
  bucket.tokens = Math.min(bucket.tokens + came, sizeOf(bucket));
  bucket.at = at;
}

/** Tolerance for rounding errors, in tokens and in milliseconds. */
const EPSILON = 1e-9;

const wholeTokens = ({ tokens }: Bucket): number => Math.floor(tokens + EPSILON);

/** When the bucket gains its next whole token; Unix ms. */
function nextTokenAt(bucket: Bucket): number {
  const missing = wholeTokens(bucket) + 1 - bucket.tokens;
  return bucket.at + Math.ceil((missing - EPSILON) * (1_000 / bucket.perSecond));
}

/** Deliveries in flight by endpoint id; endpoints without any are left out. */
export interface Load {
  /** Returns a new map, which the caller may change. */
  inFlight(): Map<string, number>;
  /** Deliveries that have not asked for a token yet. */
  asking(): ReadonlyMap<string, number>;
}

/**
 * The buckets of one scheduler, for endpoints that have a limit and something to send. Made with the scheduler;
 * attempts take tokens, and claims are restrained to what has a token.
 */
export class Rates {
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Takes a token for an attempt that is about to be sent.
   *
   * @param endpointId - The endpoint.
   * @param perSecond - Its rate limit; `null` for none.
   * @param at - The current time; Unix ms.
   * @returns `null` when there was a token; otherwise when the next one comes, in Unix ms.
   */
  take(endpointId: string, perSecond: number | null, at: number): number | null {
    if (perSecond === null) {
      this.#buckets.delete(endpointId);
      return null;
    }
    const bucket = this.#bucket(endpointId, perSecond, at);
    if (wholeTokens(bucket) < 1) return nextTokenAt(bucket);
    bucket.tokens--;
    return null;
  }

  /**
   * The deliveries in flight that a claim takes into account, so that it takes only deliveries that have a token. An
   * endpoint without tokens is shown as full. One with tokens is shown with that many slots free, unless slots are
   * scarce: claims prefer endpoints with few deliveries in flight, so it would never have its turn. Deliveries that are
   * then claimed without a token are given back.
   *
   * @param load - The deliveries in flight.
   * @param perEndpoint - Most deliveries in flight to one endpoint.
   * @param scarce - Whether the last claim filled every slot.
   * @param at - The current time; Unix ms.
   * @returns Deliveries in flight to show, by endpoint id.
   */
  restrain(load: Load, perEndpoint: number, scarce: boolean, at: number): ReadonlyMap<string, number> {
    const shown = load.inFlight();
    if (this.#buckets.size === 0) return shown;
    const asking = load.asking();
    for (const [endpointId, bucket] of this.#buckets) {
      fill(bucket, at);
      if (bucket.unused > 0 && bucket.tokens === sizeOf(bucket)) {
        this.#buckets.delete(endpointId);
        continue;
      }
      bucket.unused = Math.max(wholeTokens(bucket) - (asking.get(endpointId) ?? 0), 0);
      const slots = bucket.unused > 0 && scarce ? perEndpoint : bucket.unused;
      const taken = Math.max(shown.get(endpointId) ?? 0, perEndpoint - slots);
      if (taken > 0) shown.set(endpointId, taken);
    }
    return shown;
  }

  /** Called for each claimed delivery: it uses a token that the claim was offered. */
  claimed(endpointId: string): void {
    const bucket = this.#buckets.get(endpointId);
    if (bucket !== undefined) bucket.unused--;
  }

  /** The endpoints that ran out of tokens and may have more to send. */
  waiting(): readonly string[] {
    return Array.from(this.#buckets).flatMap(([endpointId, { unused }]) => (unused > 0 ? [] : endpointId));
  }

  /**
   * When the next token comes for an endpoint that ran out of tokens and may have more to send.
   *
   * @param at - The current time; Unix ms.
   * @returns Unix ms; `Infinity` when no endpoint waits for one.
   */
  nextTokenAt(at: number): number {
    let earliest = Infinity;
    for (const bucket of this.#buckets.values()) {
      if (bucket.unused > 0) continue;
      fill(bucket, at);
      earliest = Math.min(earliest, nextTokenAt(bucket));
    }
    return earliest;
  }

  /** The bucket of an endpoint, filled up to `at`; a new one is full. */
  #bucket(endpointId: string, perSecond: number, at: number): Bucket {
    const bucket = this.#buckets.get(endpointId) ?? { perSecond, tokens: Infinity, at, unused: 0 };
    bucket.perSecond = perSecond;
    fill(bucket, at);
    this.#buckets.set(endpointId, bucket);
    return bucket;
  }
}
