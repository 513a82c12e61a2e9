/** Nobody forgets to write what was to be written later. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documents } from './documents.js';

/** Lines of nothing but capitals, such as authors leave where words are to come. */
const placeholders = (text: string): readonly string[] =>
  text.split(/\r?\n/).filter((line) => /^\s*[A-Z]{4,}\s*$/.test(line));

test.for(documents)('%s has no line that is only a placeholder', (document) => {
  expect(placeholders(readFileSync(document, 'utf8'))).toEqual([]);
});

test('such a line is told from a sentence, a heading and an abbreviation', () => {
  const text = 'TODO\n\n  PLACEHOLDER  \r\n# RULES\n\nHTTP is not.\n\nRE2\n\nURL\n';
  expect(placeholders(text)).toEqual(['TODO', '  PLACEHOLDER  ']);
});
