/** Schemas of real libraries: they type the event, refuse what does not fit, and give the handler their output. */
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { createReceiver, type HeadgateError, type Receiver } from 'headgate/receiver';
import { SECRET } from './apps.js';
import { delivery } from './sending.js';

/** Numbers that were handled, and faults that were told. */
interface Heard {
  readonly handled: number[];
  readonly errors: HeadgateError[];
}

const heard = (): Heard => ({ handled: [], errors: [] });

const libraries: Readonly<Record<string, (to: Heard) => Receiver>> = {
  Zod: ({ handled, errors }) =>
    createReceiver({
      secrets: SECRET,
      schema: z.looseObject({
        data: z.object({
          body: z.object({
            amount: z
              .number()
              .positive()
              .transform((amount) => BigInt(amount)),
          }),
        }),
      }),
      handle: ({ data }) => {
        expectTypeOf(data.body.amount).toEqualTypeOf<bigint>();
        handled.push(Number(data.body.amount));
      },
      onError: (error) => errors.push(error),
    }),
  Valibot: ({ handled, errors }) =>
    createReceiver({
      secrets: SECRET,
      schema: v.looseObject({
        data: v.object({
          body: v.object({
            amount: v.pipe(
              v.number(),
              v.minValue(0),
              v.transform((amount) => BigInt(amount)),
            ),
          }),
        }),
      }),
      handle: ({ data }) => {
        expectTypeOf(data.body.amount).toEqualTypeOf<bigint>();
        handled.push(Number(data.body.amount));
      },
      onError: (error) => errors.push(error),
    }),
};

describe.for(Object.entries(libraries))('%s', ([, make]) => {
  const post = async ({ fetch }: Receiver, amount: number): Promise<number> => {
    const { body, headers } = delivery('evt_1', { amount });
    return (await fetch(new Request('https://example.com/', { method: 'POST', body, headers }))).status;
  };

  test('an event that fits is handled as the schema gives it', async () => {
    const to = heard();
    expect(await post(make(to), 12)).toBe(204);
    expect(to).toEqual({ handled: [12], errors: [] });
  });

  test('one that does not is refused, with the path in the log', async () => {
    const to = heard();
    expect(await post(make(to), -12)).toBe(400);
    expect(to.errors[0]).toMatchObject({ code: 'invalid_event' });
    expect(to.errors[0]?.message).toContain('/data/body/amount: ');
    expect(to.handled).toEqual([]);
  });
});
