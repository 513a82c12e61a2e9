/** The header `traceparent` of W3C Trace Context. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { traceparentOf } from '../src/delivery/index.js';

const hex = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => !/^0+$/.test(text));
const flags = (): fc.Arbitrary<string> => fc.stringMatching(/^[0-9a-f]{2}$/);

describe('traceparentOf', () => {
  test('gives every valid header back as it is', () => {
    fc.assert(
      fc.property(hex(32), hex(16), flags(), (traceId, spanId, bits) => {
        const header = `00-${traceId}-${spanId}-${bits}`;
        expect(traceparentOf(header)).toBe(header);
      }),
    );
  });

  test('reads the parts that it knows of a later version', () => {
    const later = fc
      .stringMatching(/^[0-9a-f]{2}$/)
      .filter((version) => version !== '00' && version !== 'ff');
    const more = fc.oneof(fc.constant(''), fc.stringMatching(/^-[!-~]{0,40}$/));
    fc.assert(
      fc.property(later, hex(32), hex(16), more, (version, traceId, spanId, rest) => {
        expect(traceparentOf(`${version}-${traceId}-${spanId}-01${rest}`)).toBe(`00-${traceId}-${spanId}-01`);
      }),
    );
  });

  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
  const SPAN = '00f067aa0ba902b7';
  test.for([
    ['nothing', undefined],
    ['null', null],
    ['a list', [`00-${TRACE}-${SPAN}-01`]],
    ['an empty text', ''],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['version 00 with more', `00-${TRACE}-${SPAN}-01-more`],
    ['a later version with more and no hyphen', `01-${TRACE}-${SPAN}-01more`],
    ['two headers in one', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['a line break', `00-${TRACE}-${SPAN}-01\r\nx: y`],
    ['a line break behind a later version', `01-${TRACE}-${SPAN}-01-\n`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ] as const)('%s is not one', ([, header]) => {
    expect(traceparentOf(header)).toBeNull();
  });
});
