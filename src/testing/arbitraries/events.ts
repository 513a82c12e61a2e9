/** Events, before they are aimed at any rule. */
import type { Json } from '../../json.js';
import type { Event } from '../../rules/rule.js';
import type { Arbitrary, FastCheck } from './fast-check.js';
import { tags } from './pools.js';
import type { Values } from './values.js';

/** An event; sometimes its raw payload is the very object that `data` holds. */
export const eventArbitrary = (fc: FastCheck, values: Values): Arbitrary<Event> =>
  fc
    .record(
      {
        id: fc.integer({ min: 0, max: 999 }).map((n) => `evt_${n}`),
        type: fc.constantFrom('webhook.received', 'a', '5'),
        channel: fc.record({ type: fc.constantFrom('webhook', 'a') }, { noNullPrototype: true }),
        data: dataArbitrary(fc, values),
        raw_payload: values.json,
        tags: fc.array(fc.constantFrom(...tags), { maxLength: 3 }),
        project: values.scalar,
      },
      { requiredKeys: ['id', 'type', 'data'], noNullPrototype: true },
    )
    .chain((event) => fc.constantFrom(event, { ...event, raw_payload: event.data }));

/** The block that rules look at: likely members, and whatever else. */
const dataArbitrary = (fc: FastCheck, { json, members }: Values): Arbitrary<{ [key: string]: Json }> =>
  fc
    .record({ rest: members, value: json, inner: members, list: fc.array(json, { maxLength: 3 }) })
    .chain(({ rest, value, inner, list }) =>
      fc.constantFrom<{ [key: string]: Json }[]>(
        rest,
        { ...rest, a: value, b: list },
        { ...rest, a: { ...inner, b: value }, b: list },
        { ...rest, a: list, b: value },
      ),
    );
