/**
 * Bounds of validation: whatever a body has in it, a schema looks at little of it. The values count each look, so a new
 * route is held to this on the day it is in the table. Queries are no more than a hundred short texts.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { definitions } from '../../src/api-table.js';
import { jsonSchemaOf } from '../../src/api/json-schema.js';
import { validated } from '../../src/api/validation.js';
import { Problem } from '../../src/errors/problem.js';
import { countingLooks, worstValues } from './worst.js';

/** Elements, members and characters of what is sent. */
const MANY = 30_000;
/** Looks at one value: the names of its members once, and what the longest list that a route takes has in it. */
const MOST_LOOKS = MANY + 6 * 25_000;

/** Looks at a value until it is refused, or taken. */
function looksAt(schema: z.ZodType, worst: unknown): number {
  const { value, looks } = countingLooks(worst);
  try {
    validated(schema, value, 'body');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  return looks();
}

const bodies = definitions.flatMap(({ name, body }) =>
  body === undefined || body === 'raw' ? [] : [{ name, body }],
);

describe('validation', () => {
  test.for(bodies)('the body of $name is looked at little, whatever is in it', ({ body }) => {
    for (const worst of worstValues(jsonSchemaOf(body, 'in').schema, MANY)) {
      const looks = looksAt(body, worst);
      if (looks > MOST_LOOKS) expect.fail(`${looks} looks at ${JSON.stringify(worst).slice(0, 200)}`);
    }
  });

  test('a schema that looks at more is found', () => {
    const schema = z.object({ ids: z.array(z.number()).max(4 * MANY) });
    const most = worstValues(jsonSchemaOf(schema, 'in').schema, MANY).map((worst) => looksAt(schema, worst));
    expect(Math.max(...most)).toBeGreaterThan(MOST_LOOKS);
  });

  test('says where there is too much, and how much may be there', () => {
    const schema = z.strictObject({ list: z.array(z.object({ ids: z.array(z.string()).max(3) })) });
    const told = (value: unknown): unknown => {
      try {
        return validated(schema, value, 'body');
      } catch (error) {
        return (error as Problem).details.issues;
      }
    };
    expect(told({ list: [{ ids: [] }, { ids: [1, 2, 3, 4] }] })).toEqual([
      { code: 'invalid_value', pointer: '/list/1/ids', message: 'at most 3 elements' },
    ]);
    expect(told({ list: Array(1_001).fill(1) })).toEqual([
      { code: 'invalid_value', pointer: '/list', message: 'at most 1000 elements' },
    ]);
    expect(told(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`m${i}`, 1])))).toEqual([
      { code: 'invalid_value', pointer: '', message: 'at most 100 members' },
    ]);
    expect(told({ list: [{ ids: ['a'] }] })).toEqual({ list: [{ ids: ['a'] }] });
  });
});
