import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { specialIpv4, specialIpv6 } from '../../../src/adapters/http/ranges.js';

test('docs/security.md lists exactly the blocks that are refused', () => {
  const document = readFileSync('docs/security.md', 'utf8');
  const rows = Array.from(
    document.matchAll(/^\| `([0-9a-f.:]+\/\d+)` \| (.+) \|$/gm),
    ([, cidr, purpose]) => ({ cidr, purpose }),
  );
  expect(rows).toEqual([...specialIpv4, ...specialIpv6]);
});
