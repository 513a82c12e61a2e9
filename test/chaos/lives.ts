/**
 * Lives of deliveries as they may be, made up for the verdict's tests: every process died, answered and recorded as it
 * may.
 */
import fc from 'fast-check';
import type { Attempt } from 'headgate/delivery';
import type { Request } from './children/messages.js';
import type { Line } from './journal.js';
import type { LeaseChange, StoredDelivery } from './sites/site.js';
import { type Evidence, LEASE_MS, type Reason, type Witness } from './verdict.js';

/**
 * How an attempt may end that is not the last. `status`: what the receiver answered, null where nobody waited for it.
 */
export type Episode =
  | { readonly ends: 'failed' }
  | { readonly ends: 'answer lost' }
  | { readonly ends: 'killed before the POST' }
  | { readonly ends: 'killed after the POST'; readonly status: number | null };

/** Episodes of one delivery; after them, it is delivered. */
export type Life = readonly Episode[];

export const lives = (): fc.Arbitrary<Life> =>
  fc.array(
    fc.oneof(
      fc.constantFrom<Episode>(
        { ends: 'failed' },
        { ends: 'answer lost' },
        { ends: 'killed before the POST' },
      ),
      fc.record({
        ends: fc.constant('killed after the POST' as const),
        status: fc.constantFrom(204, 503, null),
      }),
    ),
    { maxLength: 6 },
  );

/** Writes a life down as everybody would have seen it. */
class Biography {
  readonly requests: Request[] = [];
  readonly leases: LeaseChange[] = [];
  readonly attempts: Attempt[] = [];
  readonly witnesses: {
    name: string;
    killedAt: number | null;
    frozenAt: null;
    clockWasSet: boolean;
    journal: Line[];
  }[] = [];
  readonly #delivery: string;
  #now = 1_000_000;
  #claims = 0;

  constructor(delivery: string) {
    this.#delivery = delivery;
    this.#hire();
  }

  live(life: Life): void {
    for (const episode of life) this.#attempt(episode);
    this.#attempt(null);
  }

  get #worker() {
    return this.witnesses.at(-1)!;
  }

  #hire(): void {
    const name = `${this.#delivery}-worker-${this.witnesses.length + 1}`;
    this.witnesses.push({ name, killedAt: null, frozenAt: null, clockWasSet: false, journal: [] });
  }

  /** @param episode - Null: the one that succeeds. */
  #attempt(episode: Episode | null): void {
    const lease = `${this.#worker.name}:${++this.#claims}`;
    const until = this.#now + LEASE_MS;
    this.#write({ is: 'claiming', lease, until });
    this.leases.push({ delivery: this.#delivery, lease, at: this.#now });
    if (episode?.ends === 'killed before the POST') {
      this.#die(until);
      return;
    }
    const key = `${lease}.key`;
    this.#write({ is: 'sending', key, delivery: this.#delivery });
    const status =
      episode === null || episode.ends === 'answer lost'
        ? 204
        : episode.ends === 'failed'
          ? 503
          : episode.status;
    this.requests.push({ key, delivery: this.#delivery, at: (this.#now += 10), status });
    if (episode?.ends === 'killed after the POST') {
      this.#die(until);
      return;
    }
    this.#record({ key, lease, status: episode?.ends === 'answer lost' ? undefined : status! });
  }

  #record({ key, lease, status }: { key: string; lease: string; status: number | undefined }): void {
    const ok = status === 204;
    this.#write({ is: 'sent', key, ok });
    const outcome: Attempt['outcome'] = ok
      ? { ok, status }
      : {
          ok: false,
          failure: 'timeout',
          transient: true,
          detail: '',
          ...(status === undefined ? {} : { status }),
        };
    const number = this.attempts.length + 1;
    this.attempts.push({ number, started_at: this.#now, ended_at: this.#now, outcome });
    this.leases.push({ delivery: this.#delivery, lease: null, at: (this.#now += 10) });
    this.#write({ is: 'settled', key, delivery: this.#delivery, lease, held: true });
    this.#now += 1_000;
  }

  #die(until: number): void {
    this.#worker.killedAt = this.#now;
    this.#now = until;
    this.#hire();
  }

  #write(line: Line extends infer Of ? (Of extends unknown ? Omit<Of, 'at'> : never) : never): void {
    this.#worker.journal.push({ at: this.#now, ...line });
  }
}

/** The evidence of deliveries that lived so, `a` the first, `b` the second. */
export function evidenceOf(many: readonly Life[]): Evidence {
  const biographies = many.map((life, n) => {
    const biography = new Biography(nameOf(n));
    biography.live(life);
    return biography;
  });
  const stored = biographies.map(({ attempts }, n): StoredDelivery => ({
    id: nameOf(n),
    state: 'delivered',
    attempts,
  }));
  return {
    committed: new Set(stored.map(({ id }) => id)),
    stored,
    requests: biographies.flatMap(({ requests }) => requests).sort((a, b) => a.at - b.at),
    leases: biographies.flatMap(({ leases }) => leases).sort((a, b) => a.at - b.at),
    witnesses: biographies.flatMap(({ witnesses }): readonly Witness[] => witnesses),
  };
}

const nameOf = (n: number): string => String.fromCharCode('a'.charCodeAt(0) + n);

const isAccepted = (episode: Episode): boolean =>
  episode.ends === 'answer lost' || (episode.ends === 'killed after the POST' && episode.status === 204);

/** Why each repeat of a life was one, in order. The last attempt is no episode, and may be a repeat as well. */
export function reasonsIn(life: Life): readonly Reason[] {
  const sent = life.filter(({ ends }) => ends !== 'killed before the POST');
  return sent.flatMap((_, i) => {
    const before = sent.slice(0, i + 1);
    const { ends } = before.findLast(isAccepted) ?? before.at(-1)!;
    return ends === 'failed' ? [] : [ends === 'answer lost' ? 'answer lost' : 'killed'];
  });
}
