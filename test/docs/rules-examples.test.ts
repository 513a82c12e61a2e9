/** Runs every example of docs/rules.md. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileMatch, compileTransform, type Event, type Match, type TransformOp } from '../../src/index.js';

interface MatchExample {
  readonly match: Match;
  readonly matches: readonly unknown[];
  readonly 'but not': readonly unknown[];
}

interface TransformExample {
  readonly ops: readonly TransformOp[];
  readonly before: Event;
  readonly after: Event;
}

const text = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map((block) => ({
  line: text.slice(0, block.index).split('\n').length,
  example: JSON.parse(block[1] as string) as Partial<MatchExample & TransformExample>,
}));
const matches = blocks.filter(
  (block): block is { line: number; example: MatchExample } => 'but not' in block.example,
);
const transforms = blocks.filter(
  (block): block is { line: number; example: TransformExample } => 'ops' in block.example,
);

describe('docs/rules.md', () => {
  test('every block is the rule at the top, a match or a transform', () => {
    expect(blocks.length).toBe(matches.length + transforms.length + 1);
    expect(matches.length).toBeGreaterThan(25);
    expect(transforms.length).toBeGreaterThan(4);
  });

  test.for(matches)('the match at line $line', ({ example }) => {
    expect(example.matches.length).toBeGreaterThan(0);
    expect(example['but not'].length).toBeGreaterThan(0);
    const matching = compileMatch(example.match);
    for (const event of example.matches) expect([event, matching(event)]).toEqual([event, true]);
    for (const event of example['but not']) expect([event, matching(event)]).toEqual([event, false]);
  });

  test.for(transforms)('the transform at line $line', ({ example }) => {
    expect(compileTransform(example.ops)(example.before)).toEqual(example.after);
  });
});
