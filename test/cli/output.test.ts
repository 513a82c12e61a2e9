/** Output: nothing in data can steer a terminal, and colors show only where they should. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Printer, styled } from '../../src/cli/output/printer.js';
import { Table } from '../../src/cli/output/table.js';
import { cut, escapeControls, grouped, showDuration } from '../../src/cli/output/text.js';

const steering = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u0007',
      '\r',
      '\n',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u2028',
      '\ud800',
      '\u{e0041}',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

/** Text that was printed, and the printer that did. */
function printer(isTerminal: boolean, env: Record<string, string> = {}) {
  const printed: string[] = [];
  const write = (text: string): Promise<void> => Promise.resolve(void printed.push(text));
  return { printed, printer: new Printer({ isTerminal, write }, env) };
}

test('a line of any text has no control, format or lone surrogate but its own end', async () => {
  await fc.assert(
    fc.asyncProperty(steering, async (text) => {
      const { printed, printer: out } = printer(false);
      await out.line(text, styled('red', text));
      expect(printed.join('').slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(printed.join('').endsWith('\n')).toBe(true);
    }),
  );
});

test('a line of JSON has none either, and means what it meant', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(steering, fc.oneof(steering, fc.jsonValue())), async (value) => {
      const { printed, printer: out } = printer(true);
      await out.json(value);
      expect(printed.join('').slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(printed.join(''))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('JSON of any depth is printed', async () => {
  let deep: object = {};
  for (let depth = 0; depth < 100_000; depth++) deep = { deep };
  const { printed, printer: out } = printer(false);
  await out.json(deep);
  expect(printed.join('').length).toBe(900_003);
});

test.for([
  { isTerminal: true, env: {}, hasColor: true },
  { isTerminal: true, env: { NO_COLOR: '' }, hasColor: true },
  { isTerminal: true, env: { NO_COLOR: '1' }, hasColor: false },
  { isTerminal: true, env: { TERM: 'dumb' }, hasColor: false },
  { isTerminal: false, env: {}, hasColor: false },
])('a terminal: $isTerminal, with $env: color is $hasColor', async ({ isTerminal, env, hasColor }) => {
  const { printed, printer: out } = printer(isTerminal, env);
  await out.line('a ', styled('red', 'b\u001b'));
  expect(printed).toEqual([hasColor ? 'a \u001b[31mb\\u001b\u001b[39m\n' : 'a b\\u001b\n']);
});

test('the columns of a table fit its first rows, and later ones move only themselves', async () => {
  const { printed, printer: out } = printer(false);
  const table = new Table(out, ['A', 'B', 'C']);
  await table.row('1', 'two', '');
  await table.row('long', '', 'x');
  await table.end();
  await table.row('longer', 'b', 'c');
  expect(printed.join('')).toBe('A     B    C\n1     two\nlong       x\nlonger  b    c\n');
});

test('a table without rows prints nothing', async () => {
  const { printed, printer: out } = printer(false);
  await new Table(out, ['A']).end();
  expect(printed).toEqual([]);
});

test('texts are cut between characters', () => {
  expect([cut('abc', 3), cut('abcd', 3), cut('😀😀😀😀', 3)]).toEqual(['abc', 'ab…', '😀😀…']);
});

test('numbers and times are written for people', () => {
  expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([3_000, 300_000, 18_000_000, 864_000_000].map(showDuration)).toEqual([
    '3 s',
    '5 min',
    '5 h',
    '10 d',
  ]);
});

test('escapes are those of JSON', () => {
  expect(escapeControls('a\n\u001b\u{e0041}é')).toBe('a\\n\\u001b\\udb40\\udc41é');
});
