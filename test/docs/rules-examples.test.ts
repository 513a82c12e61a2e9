/** Runs every example of docs/rules.md. */
import { describe, expect, test } from 'vitest';
import { compileMatch, compileTransform } from '../../src/index.js';
import { blocks, matches, transforms } from './rules-examples.js';

describe('docs/rules.md', () => {
  test('every block is the rule at the top, a match or a transform', () => {
    expect(blocks.length).toBe(matches.length + transforms.length + 1);
    expect(matches.length).toBeGreaterThan(25);
    expect(transforms.length).toBeGreaterThan(4);
  });

  test.for(matches)('the match at line $line', (example) => {
    expect(example.matches.length).toBeGreaterThan(0);
    expect(example['but not'].length).toBeGreaterThan(0);
    const matching = compileMatch(example.match);
    for (const event of example.matches) expect([event, matching(event)]).toEqual([event, true]);
    for (const event of example['but not']) expect([event, matching(event)]).toEqual([event, false]);
  });

  test.for(transforms)('the transform at line $line', ({ ops, before, after }) => {
    expect(compileTransform(ops)(before)).toEqual(after);
  });
});
