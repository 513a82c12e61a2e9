/** Laws of how many rows a store reads, whatever the size of its tables. */
import { expect } from 'vitest';
import { BATCH, type Reading, type Readings } from './measure.js';

/** A hundred times as many rows may make a call read this many times as much. */
const GROWTH = 1.5;
/** Pages more: an index of a hundred times as many rows has a level more, and a call looks into a few indexes. */
const MORE_PAGES = 4;
/** Rows that a call may take from the end of an index, which counts as reading the whole of it. */
const PAGE = BATCH;

/** The bounds of one store. */
export interface Bounds {
  /** Most that a claim may read for each delivery that it takes, once it knows what is behind. */
  readonly readPerDelivery: number;
}

/**
 * @param few - With few rows.
 * @param many - With many.
 */
export function expectFlat(few: Readings, many: Readings): void {
  expect(Object.keys(many)).toEqual(Object.keys(few));
  for (const [name, { read, pages = 0 }] of Object.entries(many)) {
    const before = few[name]!;
    expect(read, `${name}: read`).toBeLessThanOrEqual(GROWTH * before.read);
    expect(pages, `${name}: pages`).toBeLessThanOrEqual(GROWTH * (before.pages ?? 0) + MORE_PAGES);
  }
}

/** No call reads a table from end to end, or sorts what an index has in order. */
export function expectIndexed(readings: Readings): void {
  for (const [name, { scans, sorts }] of Object.entries(readings)) {
    expect(scans, `${name}: read from end to end`).toBeLessThanOrEqual(PAGE);
    expect(sorts, `${name}: sorts`).toBe(0);
  }
}

/** @param claim - With any backlog. */
export function expectInProportion(claim: Reading, { readPerDelivery }: Bounds): void {
  expect(claim.read, 'claim: read').toBeLessThanOrEqual(readPerDelivery * BATCH);
}
