/** What random values are made of: small pools, so that draws meet, with every oddity that JSON can carry among them. */

/** Keys that invite mistakes: inherited names, indexes, the characters of the path syntax. */
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
  '😀',
] as const;

/** What short strings are made of; `\r`, U+2028 and U+2029 are left out because `.` differs on them. */
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

/** What long strings are made of: they share beginnings, ends and middles. */
export const fragments = ['order', 'order.', 'er.cre', 'created', '.eu-1', 'a'.repeat(17), 'aab', '\ufffd'];

export const numbers = [0, -0, 1, 5, -1000, 0.1, 1e21, 2 ** 53, 2 ** 53 + 2, 1e308, 5e-324];

/** Numbers in text, and what only looks like one. */
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

/** Few enough that two draws are often equal, or equal but for a coercion. */
export const common = [0, 5, '5', '5.0', 'a', 'ab', 'b', null, true] as const;

/** Paths that most events have. */
export const likelyPaths = ['data.a', 'data.b', 'data.a.b', 'data.b.0'] as const;

/** Paths outside of what a transform may change. */
export const otherPaths = ['data', 'type', 'channel.type', 'tags.0', 'raw_payload.a', '__proto__'] as const;

/** Every template of JavaScript's `replace`, and the look-alikes. */
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
