/** Tokens of JSON: they agree with `JSON.parse`, and tell where each value is. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError, type JsonToken, JsonTokens, stringifyJson } from '../src/index.js';

/** Builds the value from its tokens, as `JSON.parse` would; checks their positions on the way. */
function built(text: string): unknown {
  const tokens = new JsonTokens(text);
  const root: { value?: unknown } = {};
  const open: { readonly container: object; name: string | null }[] = [];
  let before = 0;
  const put = (value: unknown): void => {
    const into = open.at(-1);
    if (into === undefined) root.value = value;
    else if (Array.isArray(into.container)) into.container.push(value);
    else {
      Object.defineProperty(into.container, into.name ?? '', {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  };
  const read: Readonly<Record<Exclude<JsonToken, 'end'>, () => void>> = {
    '{': () => enter({}),
    '[': () => enter([]),
    '}': () => open.pop(),
    ']': () => open.pop(),
    name: () => void (open.at(-1)!.name = tokens.string()),
    string: () => put(tokens.string()),
    number: () => put(Number(text.slice(tokens.start, tokens.end))),
    literal: () => put(JSON.parse(text.slice(tokens.start, tokens.end))),
  };
  const enter = (container: object): void => {
    put(container);
    open.push({ container, name: null });
  };
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    expect(text.slice(before, tokens.start)).toMatch(/^[\s,:]*$/);
    before = tokens.end;
    read[token]();
  }
  expect(tokens.next()).toBe('end');
  return root.value;
}

const printed = () =>
  fc
    .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t\r\n'.slice(0, 1)))
    .map(([value, space]) => JSON.stringify(value, null, space));

describe('JsonTokens', () => {
  test('has all that JSON.parse reads, in its order', () => {
    fc.assert(
      fc.property(printed(), (text) => {
        expect(built(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('leaves no blank, comma or colon out of its checks', () => {
    fc.assert(
      fc.property(printed(), fc.nat(), fc.constantFrom(...'{}[],:"\\0-e.x\u0000'), (text, at, unit) => {
        const position = at % (text.length + 1);
        const edited = text.slice(0, position) + unit + text.slice(position);
        let parsed: unknown;
        try {
          parsed = JSON.parse(edited);
        } catch {
          expect(() => built(edited)).toThrow(JsonError);
          return;
        }
        expect(built(edited)).toEqual(parsed);
      }),
      { numRuns: 5_000 },
    );
  });

  test.for([
    ['"a"', true],
    ['"\\u0061"', false],
    [`"${'x'.repeat(100)}\\n"`, false],
    ['12.50', true],
    ['-1E+2', false],
    ['1e2', false],
  ] as const)('%s is plain: %j', ([text, isPlain]) => {
    const tokens = new JsonTokens(text);
    tokens.next();
    expect(tokens.isPlain).toBe(isPlain);
  });

  test.for([1, 31, 32, 33, 1_000, 200_000])('goes %i levels deep, and back', (depth) => {
    let deep: unknown = 1;
    for (let i = 0; i < depth; i++) deep = i % 2 === 0 ? [deep] : { deep };
    const text = stringifyJson(deep);
    const tokens = new JsonTokens(text);
    let [now, most] = [0, 0];
    for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
      if (token === '{' || token === '[') most = Math.max(most, ++now);
      if (token === '}' || token === ']') now--;
    }
    expect([now, most]).toEqual([0, depth]);
  });
});
