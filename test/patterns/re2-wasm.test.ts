import { expect, test } from 'vitest';
import { createRe2WasmEngine } from '../../src/patterns/re2-wasm/index.js';
import { conformance } from './conformance.js';
import { programOf, re2Wasm } from './engines.js';

conformance(re2Wasm);

test('programs survive that the heap is set up anew', () => {
  const engine = createRe2WasmEngine();
  const before = programOf(engine, '[a-z]{2}7');
  expect(before.test('ab7')).toBe(true);
  expect(() => engine.compile('(?:\\pL{50}){20}')).toThrow();
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
  const two = createRe2WasmEngine();
  expect(() => two.compile('(?:\\pL{50}){20}')).toThrow();
  expect(one.test('ac')).toBe(true);
});
