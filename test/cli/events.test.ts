/** Events of an input: in any form, in any chunks, with its faults at their positions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Found, readEvents } from '../../src/cli/input/events.js';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(text: string | Uint8Array, size = 7): Promise<Found[]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const found: Found[] = [];
  for await (const one of readEvents(chunksOf(bytes, size))) found.push(one);
  return found;
}

const eventsIn = async (text: string, size: number): Promise<unknown[]> =>
  (await all(text, size)).map(({ event }) => event);

const anEvent = fc
  .dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ noUnicodeString: false }), {
    maxKeys: 4,
  })
  .map((members) => ({ ...members, own: 1 }));

const forms: readonly { name: string; print: (events: readonly object[]) => string }[] = [
  { name: 'one a line', print: (events) => events.map((event) => JSON.stringify(event)).join('\n') },
  {
    name: 'one a line, with CR LF and empty lines',
    print: (events) => events.map((event) => `${JSON.stringify(event)}\r\n\r\n`).join(''),
  },
  { name: 'an array', print: (events) => JSON.stringify(events) },
  {
    name: 'an array over lines, after a byte order mark',
    print: (events) => `\ufeff\n${JSON.stringify(events, null, 2)}\n`,
  },
  {
    name: 'documents over lines',
    print: (events) => events.map((event) => JSON.stringify(event, null, 1)).join('\n'),
  },
];

describe.each(forms)('events as $name', ({ print }) => {
  test('are read as they are, in whatever chunks they come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anEvent, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        async (given, size) => {
          const events = given.map((event) => JSON.parse(JSON.stringify(event)) as object);
          expect(await eventsIn(print(events), size)).toEqual(events);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test.for([
  { text: '', found: [] },
  { text: ' \n\n ', found: [] },
  { text: '[]', found: [] },
  { text: '{"a":1}\n{"a":\n{"a":3}', found: [1, '2:6 ends too early', 3] },
  {
    text: '{"a":1}\n[]\n7\n{"a":4}',
    found: [1, '2:1 this is not an event', '3:1 this is not an event', 4],
  },
  { text: '[{"a":1},{"a" 2},{"a":3}]', found: [1, '1:15 give a colon'] },
  { text: '[{"a":1},]', found: [1, '1:10 give a value'] },
  { text: '[,{"a":1}]', found: ['1:2 give a value'] },
  { text: '[{"a":1},,{"a":2}]', found: [1, '1:10 give a value'] },
  { text: '[{"a":1}\n', found: [1, '2:2 ends too early'] },
  { text: '[{"a":1}{"a":2}]', found: ['1:9 nothing after the value'] },
  { text: '[{"a":1}] x', found: [1, '1:11 give a value'] },
  { text: '{\n "a": 1,\n}', found: ['3:1 a name in double quotes'] },
  { text: '{"a":1} {"a":2}', found: [1, 2] },
  { text: 'hello\n', found: ['1:1 give a value'] },
  { text: '"text"', found: ['1:1 this is not an event'] },
  { text: '[5, {"a":1}]', found: ['1:2 this is not an event'] },
  { text: '{"a":"}]\\"{"}\n{"a":2}', found: ['}]"{', 2] },
  { text: '[{"a":"}],\\"{"}]', found: ['}],"{'] },
])('of $text, $found is found', async ({ text, found }) => {
  for (const size of [1, 3, 1_000]) {
    const result = await all(text, size);
    expect(result).toHaveLength(found.length);
    result.forEach((one, nth) => {
      if (one.event !== null) expect(one.event.a).toBe(found[nth]);
      else {
        expect(`${one.line}:${one.column} ${one.problem}`).toMatch(
          new RegExp(String(found[nth]).replace(' ', ' .*')),
        );
      }
    });
  }
});

test('what is not UTF-8 is a problem of its line', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":1}\n{"a":2}\n{"a":"'),
    Buffer.from([0xff]),
    Buffer.from('"}\n'),
  ]);
  const found = await all(bytes, 1_000);
  expect(found.at(-1)).toEqual({
    event: null,
    line: 3,
    column: 1,
    problem: 'this line is not UTF-8: save the input as UTF-8',
  });
});

test('a line is there as soon as it has come', async () => {
  let sent = 0;
  async function* slow(): AsyncGenerator<Uint8Array> {
    for (; sent < 3; sent++) {
      yield new TextEncoder().encode(`{"a":${sent}}\n`);
      await Promise.resolve();
    }
  }
  const seen: number[] = [];
  for await (const { event } of readEvents(slow())) seen.push(Number(event?.a) - sent);
  expect(seen).toEqual([0, 0, 0]);
});

test.for([
  { form: 'lines', begin: '', between: '\n' },
  { form: 'an array on one line', begin: '[', between: ',' },
])('no more is read than the next event needs: $form', async ({ begin, between }) => {
  let chunks = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      yield new TextEncoder().encode(`${chunks === 0 ? begin : between}{"a":${chunks}}`);
      chunks++;
      await Promise.resolve();
    }
  }
  let count = 0;
  for await (const { event } of readEvents(endless())) {
    expect(event).toEqual({ a: count++ });
    expect(chunks).toBeLessThanOrEqual(count + 1);
    if (count === 10_000) break;
  }
});
