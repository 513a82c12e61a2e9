import { describe, expect, test } from 'vitest';
import * as node from '../../src/signing/index.js';
import * as web from '../../src/signing/web.js';

describe.each([
  ['node', node],
  ['web', web],
])('signing on %s', (_, { createSigner }) => {
  test('the known answer', async () => {
    const signature = await createSigner({ secrets: 'whsec_test' }).signature('{"a":1}', 1_700_000_000);
    expect(signature).toBe(
      't=1700000000,v1=38877139021993b830af32feea6e18a8da83eb2f6e49ee50bd9e4cf4ca4d3789',
    );
  });
});
