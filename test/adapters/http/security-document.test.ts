/** The tables of docs/security.md agree with the code. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SPECIAL_IPV4, SPECIAL_IPV6 } from '../../../src/adapters/http/ranges.js';
import { documentRows } from '../../hostile/document.js';

describe('docs/security.md', () => {
  const document = readFileSync('docs/security.md', 'utf8');

  /** Rows of the tables under a heading, without their heads. */
  const rowsUnder = (heading: string): readonly string[] => {
    const [, after = ''] = document.split(`\n${heading}\n`);
    const [section = ''] = after.split(/^##/m);
    return Array.from(section.matchAll(/^\| (?!---).+ \|$/gm), ([row]) => row.replace(/ +/g, ' ')).slice(1);
  };

  test('lists exactly the blocks that are refused', () => {
    const rows = Array.from(
      document.matchAll(/^\| `([0-9a-f.:]+\/\d+)` \| (.+) \|$/gm),
      ([, cidr, purpose]) => ({ cidr, purpose }),
    );
    expect(rows).toEqual([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
  });

  test('lists exactly what hostile receivers do, and what is recorded of it', () => {
    expect(rowsUnder('## What a receiver does, and what is recorded')).toEqual(documentRows());
  });
});
