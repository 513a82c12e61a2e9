/** Counts of the work that matching takes: the same for the same rules and events on every machine. */

/** Counters that a match adds to. The cost laws read them; rule sets in service have none. */
export interface Probe {
  /** Look-ups in tables of keys, without those that a filter spared. */
  lookUps: number;
  /** UTF-16 units of texts that were hashed, scanned or matched. */
  units: number;
  /** Keys that events had. */
  keys: number;
  /** Entries of postings and ranges that were met. */
  entries: number;
  /** Rules whose match tree was tried. */
  tried: number;
}

/** A probe that has counted nothing yet. */
export const newProbe = (): Probe => ({ lookUps: 0, units: 0, keys: 0, entries: 0, tried: 0 });
