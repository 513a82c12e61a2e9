/**
 * The values from which arbitraries draw. The pools are small, so that draws are often equal, and include unusual JSON.
 */

/** Keys that are often handled wrongly: inherited names, indexes, and characters of the path syntax. */
export const keys = [
  'a',
  'b',
  'c',
  '0',
  '1',
  '01',
  '__proto__',
  'constructor',
  'length',
  'a.b',
  'a\\b',
  '*',
  '😀',
] as const;

/** Characters of short strings, without `\r`, U+2028 and U+2029, on which engines' `.` differ. */
export const characters = [
  'a',
  'b',
  'A',
  '1',
  '.',
  ' ',
  '\n',
  'é',
  'ß',
  'İ',
  '😀',
  '\ud83d',
  '\ude00',
  '\ue000',
  '\uffee',
];

/** Parts of long strings, which share beginnings, ends and middles. */
export const fragments = ['order', 'order.', 'er.cre', 'created', '.eu-1', 'a'.repeat(17), 'aab', '\ufffd'];

export const numbers = [0, -0, 1, 5, -1000, 0.1, 1e21, 2 ** 53, 2 ** 53 + 2, 1e308, 5e-324];

/** Numbers as text, and text that only looks like a number. */
export const numerals = [
  '5',
  '5.0',
  '-1e3',
  '0',
  '-0',
  '1e400',
  '9007199254740993',
  '05',
  ' 5',
  '0x5',
  '+5',
  '5.',
  '.5',
];

export const words = [
  '',
  'a',
  'ab',
  'aab',
  'AB',
  'Infinity',
  'NaN',
  'null',
  '2026-01-01T00:00:00Z',
  '2026-01-02',
  'e\u0301',
];

/** Few values, so that two draws are often equal, or equal after coercion. */
export const common = [0, 5, '5', '5.0', 'a', 'ab', 'b', null, true] as const;

/** Paths that most events have. */
export const likelyPaths = ['data.a', 'data.b', 'data.a.b', 'data.b.0', 'data.b.*', 'data.a.*.b'] as const;

/** Paths that a transform may not change. */
export const otherPaths = [
  'data',
  'type',
  'channel.type',
  'tags.0',
  'tags.*',
  'raw_payload.a',
  '__proto__',
] as const;

/** All templates of JavaScript's `replace`, and text that looks like one. */
export const templates = [
  '***',
  '',
  '$1',
  '$2',
  '$01',
  '$10',
  '$0',
  '$&',
  '$$',
  '$`',
  "$'",
  '$',
  '$<n>',
  '😀',
  '1',
];

export const tags = ['urgent', 'Urgent', 'b', '😀', '__proto__', '0'];

export const endpointIds = Array.from({ length: 4 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);

/** Ids whose order differs by UTF-16 unit, by code point and by locale. */
export const ids = ['a', 'B', 'b', 'a1', 'é', '😀', '\uffee', '10', '9'];
