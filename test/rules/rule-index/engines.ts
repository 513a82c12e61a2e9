/** Engines and budgets that leave patterns undecided. */
import fc from 'fast-check';
import type { PatternOptions } from '../../../src/index.js';
import { re2js } from '../../../src/patterns/re2js/index.js';

/** An engine that holds short subjects only. */
const narrow: NonNullable<PatternOptions['engine']> = { ...re2js, name: 'narrow', maxSubjectLength: 9 };

/** An engine that fails of itself, always at the same patterns and subjects. */
export const failing: NonNullable<PatternOptions['engine']> = {
  ...re2js,
  name: 'failing',
  compile(pattern) {
    if (pattern.length % 7 === 3) throw new Error('no program for this one');
    const program = re2js.compile(pattern);
    return {
      test: (subject) => {
        if (subject.length % 5 === 2) throw new Error('not this one');
        return program.test(subject);
      },
      next: (subject, from, groups) => program.next(subject, from, groups),
      dispose: () => {
        program.dispose();
      },
    };
  },
};

/** Budgets that are soon spent, and subjects that are soon too long. */
export const tightOptions: fc.Arbitrary<PatternOptions> = fc.oneof(
  fc.integer({ min: 1, max: 400 }).map((budget) => ({ budget })),
  fc.integer({ min: 1, max: 400 }).map((budget) => ({ budget, engine: narrow })),
  fc.constant({ engine: narrow }),
  fc.integer({ min: 1, max: 4_000 }).map((eventBudget) => ({ eventBudget })),
  fc
    .tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 4_000 }))
    .map(([budget, eventBudget]) => ({ budget, eventBudget })),
  fc.integer({ min: 1, max: 4_000 }).map((eventBudget) => ({ eventBudget, engine: narrow })),
);
