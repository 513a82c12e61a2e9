/** Stores may keep more of an attempt than its outcome. */
import type { KeepExchange, KeepUrl, Settlement } from '../delivery/store.js';

/** The options of a store that choose it. */
export interface Keeps {
  readonly keepUrl?: KeepUrl | undefined;
  readonly keepExchange?: KeepExchange | undefined;
}

/** Makes what a store keeps of a settlement's attempt. */
export function keptOf(settlement: Settlement, { keepUrl, keepExchange }: Keeps) {
  const { url, exchange } = settlement;
  return {
    url: url === undefined ? null : (keepUrl?.(url) ?? null),
    exchange: exchange === undefined ? null : (keepExchange?.(exchange, settlement) ?? null),
  };
}
