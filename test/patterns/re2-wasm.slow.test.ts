/** re2-wasm: the contract of engines, and the faults of the package that the adapter mends. */
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createRe2WasmEngine } from '../../src/patterns/re2-wasm/index.js';
import { conformance } from './conformance.js';
import { programOf, re2Wasm } from './engines.js';

conformance(re2Wasm);

/** More than the heap holds; patterns never pass it to the engine. */
const tooLong = 'a'.repeat(16 << 20);

test('programs survive that the heap is set up again', () => {
  const engine = createRe2WasmEngine();
  const before = programOf(engine, '[a-z]{2}7');
  expect(before.test('ab7')).toBe(true);
  expect(() => before.test(tooLong)).toThrow();
  expect(before.test('ab7')).toBe(true);
  expect(before.test('a7')).toBe(false);
  before.dispose();
  expect(before.test('ab7')).toBe(true);
});

test('a pattern that RE2 refuses is an error, not an abort', () => {
  expect(() => createRe2WasmEngine().compile('(')).toThrow('larger');
});

test('engines share no heap', () => {
  const one = programOf(createRe2WasmEngine(), '[ab]c');
  const two = programOf(createRe2WasmEngine(), '[ab]d');
  expect(() => two.test(tooLong)).toThrow();
  expect(one.test('ac')).toBe(true);
});

test("a host's own use of the module is left alone", () => {
  const require = createRequire(import.meta.url);
  const own: unknown = require('re2-wasm/build/wasm/re2.js');
  createRe2WasmEngine();
  expect(require('re2-wasm/build/wasm/re2.js')).toBe(own);
});
