/** The database's account of every lease against what their holders wrote down. */
import type { LeaseChange } from './sites/site.js';
import type { Witness } from './verdict.js';

/** A lease as it was asked for. */
export interface Lease {
  readonly holder: Witness;
  /** Unix ms, by the holder's clock. */
  readonly until: number;
}

/** Every lease by its token. */
export function leasesOf(witnesses: readonly Witness[]): ReadonlyMap<string, Lease> {
  const leases = new Map<string, Lease>();
  for (const holder of witnesses) {
    for (const line of holder.journal) {
      if (line.is === 'claiming') leases.set(line.lease, { holder, until: line.until });
    }
  }
  return leases;
}

/** A lease that passed from one token to the next without an end. */
interface Passing {
  readonly delivery: string;
  readonly from: Lease;
  readonly to: Lease;
  /** Unix ms. */
  readonly at: number;
}

const changesByDelivery = (changes: readonly LeaseChange[]): ReadonlyMap<string, readonly LeaseChange[]> => {
  const byDelivery = new Map<string, LeaseChange[]>();
  for (const change of changes) {
    const known = byDelivery.get(change.delivery);
    if (known === undefined) byDelivery.set(change.delivery, [change]);
    else known.push(change);
  }
  return byDelivery;
};

function passings(changes: readonly LeaseChange[], leases: ReadonlyMap<string, Lease>): readonly Passing[] {
  return Array.from(changesByDelivery(changes)).flatMap(([delivery, own]) =>
    own.flatMap(({ lease: token, at }, i) => {
      const from = leases.get(own[i - 1]?.lease ?? '');
      const to = leases.get(token ?? '');
      return from === undefined || to === undefined ? [] : [{ delivery, from, to, at }];
    }),
  );
}

/**
 * Leases that were given to somebody while somebody else's had not ended; a holder may renew its own, and for one whose
 * clock was set it had.
 */
export const heldTwice = (
  changes: readonly LeaseChange[],
  leases: ReadonlyMap<string, Lease>,
): readonly string[] =>
  passings(changes, leases)
    .filter(({ from, to, at }) => from.holder !== to.holder && !to.holder.clockWasSet && at < from.until)
    .map(
      ({ delivery, from, to, at }) =>
        `${delivery}: ${to.holder.name} got it ${from.until - at} ms before the lease of ${from.holder.name} ended`,
    );

/**
 * From when a holder was killed, or stood still, to the next lease of what it held: the longest, in milliseconds; null
 * where there is none.
 */
export function longestTakeOverMs(
  changes: readonly LeaseChange[],
  leases: ReadonlyMap<string, Lease>,
): number | null {
  const waits = passings(changes, leases).flatMap(({ from: { holder }, at }) => {
    const goneAt = holder.killedAt ?? holder.frozenAt;
    return goneAt === null ? [] : [at - goneAt];
  });
  return waits.reduce<number | null>((longest, wait) => Math.max(longest ?? 0, wait), null);
}

/** Records that the store took though the lease was no longer its holder's. */
export function lateSettles(
  changes: readonly LeaseChange[],
  witnesses: readonly Witness[],
): readonly string[] {
  const byDelivery = changesByDelivery(changes);
  return witnesses.flatMap(({ name, journal }) =>
    journal.flatMap((line) => {
      if (line.is !== 'settled' || !line.held) return [];
      const own = byDelivery.get(line.delivery) ?? [];
      const given = own.findIndex(({ lease }) => lease === line.lease);
      const ended = own[given + 1]?.lease === null;
      return given >= 0 && ended
        ? []
        : [`${line.delivery}: ${name} settled it under a lease that had passed on`];
    }),
  );
}
