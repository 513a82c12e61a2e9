/** The examples of docs/rules.md, which define the language of rules. */
import { readFileSync } from 'node:fs';
import type { Event, Match, TransformOp } from '../../src/index.js';

/** A tree, and events that it matches and does not match. */
export interface MatchExample {
  readonly line: number;
  readonly match: Match;
  readonly matches: readonly unknown[];
  readonly 'but not': readonly unknown[];
}

/** Ops, and an event before and after them. */
export interface TransformExample {
  readonly line: number;
  readonly ops: readonly TransformOp[];
  readonly before: Event;
  readonly after: Event;
}

const text = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');

/** Every block of JSON, and the line where it begins. */
export const blocks = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map((block) => ({
  line: text.slice(0, block.index).split('\n').length,
  ...(JSON.parse(block[1] as string) as object),
}));

export const matches = blocks.filter((block): block is MatchExample => 'but not' in block);
export const transforms = blocks.filter((block): block is TransformExample => 'ops' in block);
