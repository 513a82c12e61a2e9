/** Rate limits of endpoints: a bucket of tokens for each, filled steadily, of which every attempt takes one. */
import { OptionError } from '../errors.js';

/** One attempt an hour. */
const MIN_PER_SECOND = 1 / 3_600;
const MAX_PER_SECOND = 10_000;

/** @throws {@link OptionError} `invalid_policy` for a rate out of bounds. */
export function assertRate(perSecond: number | null): void {
  // A bigint, too, would compare.
  const isNumber = typeof perSecond === 'number';
  if (perSecond === null || (isNumber && perSecond >= MIN_PER_SECOND && perSecond <= MAX_PER_SECOND)) return;
  throw new OptionError(
    'invalid_policy',
    `rate_limit_per_second is ${String(perSecond)}: give a number from 1/3600 to ${MAX_PER_SECOND}, or null`,
  );
}

/** Tokens of an endpoint: they come steadily; the bucket holds those of a second, and at least one. */
interface Bucket {
  perSecond: number;
  /** With fractions. */
  tokens: number;
  /** When there were so many; Unix ms. */
  at: number;
  /** Tokens that the last claim was offered and left; none when there may be more to send than tokens. */
  unwanted: number;
}

const sizeOf = ({ perSecond }: Bucket): number => Math.max(perSecond, 1);

/** Fills a bucket with what has come since; a clock that was set back brings nothing and takes nothing. */
function fill(bucket: Bucket, at: number): void {
  const came = (Math.max(at - bucket.at, 0) * bucket.perSecond) / 1_000;
  bucket.tokens = Math.min(bucket.tokens + came, sizeOf(bucket));
  bucket.at = at;
}

/** What floating point may lose of a token, or of the milliseconds until one. */
const GRAIN = 1e-9;

const wholeTokens = ({ tokens }: Bucket): number => Math.floor(tokens + GRAIN);

/** When one token more than now is there, whether or not those of now are taken; Unix ms. */
function nextTokenAt(bucket: Bucket): number {
  const missing = wholeTokens(bucket) + 1 - bucket.tokens;
  return bucket.at + Math.ceil((missing - GRAIN) * (1_000 / bucket.perSecond));
}

/** What is in flight, by endpoint id; an endpoint without any is left out. */
export interface Load {
  /** A map of the caller's own. */
  inFlight(): Map<string, number>;
  /** Those of them that have yet to ask for a token. */
  asking(): ReadonlyMap<string, number>;
}

/** The buckets of one scheduler; only those of endpoints that have a limit and something to send. */
export class Rates {
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Takes a token for an attempt that is about to be sent.
   *
   * @param endpointId - To whom.
   * @param perSecond - Its rate limit; `null` for none.
   * @param at - Unix ms.
   * @returns `null` when there was one; else when the next one comes. Unix ms.
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
   * What a claim is to believe of each endpoint's flights, so that it takes nothing that has no token: one that is out
   * of tokens looks full. One that has some looks as if it had just that many slots left; but not where slots are scarce,
   * since claims go to whoever has the fewest flights, and it would never have its turn. What is taken without a token
   * then is given back.
   *
   * @param load - What is in flight.
   * @param perEndpoint - Most flights to one endpoint.
   * @param scarce - Whether the last claim filled every slot.
   * @param at - Unix ms.
   * @returns Flights by endpoint id.
   */
  restrain(load: Load, perEndpoint: number, scarce: boolean, at: number): ReadonlyMap<string, number> {
    const shown = load.inFlight();
    if (this.#buckets.size === 0) return shown;
    const asking = load.asking();
    for (const [endpointId, bucket] of this.#buckets) {
      fill(bucket, at);
      if (bucket.unwanted > 0 && bucket.tokens === sizeOf(bucket)) {
        this.#buckets.delete(endpointId);
        continue;
      }
      bucket.unwanted = Math.max(wholeTokens(bucket) - (asking.get(endpointId) ?? 0), 0);
      const slots = bucket.unwanted > 0 && scarce ? perEndpoint : bucket.unwanted;
      const taken = Math.max(shown.get(endpointId) ?? 0, perEndpoint - slots);
      if (taken > 0) shown.set(endpointId, taken);
    }
    return shown;
  }

  /** Notes that a claim took what it was offered for an endpoint. */
  claimed(endpointId: string): void {
    const bucket = this.#buckets.get(endpointId);
    if (bucket !== undefined) bucket.unwanted--;
  }

  /**
   * When the next token comes for an endpoint that may have something to send and had no token left for it.
   *
   * @param at - Unix ms.
   * @returns Unix ms; `Infinity` when no endpoint waits for one.
   */
  nextTokenAt(at: number): number {
    let earliest = Infinity;
    for (const bucket of this.#buckets.values()) {
      if (bucket.unwanted > 0) continue;
      fill(bucket, at);
      earliest = Math.min(earliest, nextTokenAt(bucket));
    }
    return earliest;
  }

  /** A new one is full. */
  #bucket(endpointId: string, perSecond: number, at: number): Bucket {
    const bucket = this.#buckets.get(endpointId) ?? { perSecond, tokens: Infinity, at, unwanted: 0 };
    bucket.perSecond = perSecond;
    fill(bucket, at);
    this.#buckets.set(endpointId, bucket);
    return bucket;
  }
}
