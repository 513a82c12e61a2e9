/** The start of responses, before undici parses them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AttemptError } from '../../../src/adapters/http/failure.js';
import { createPreamble } from '../../../src/adapters/http/preamble.js';

/** The output for a response in pieces, which end at `cuts`. */
function read(response: string, cuts: readonly number[]): string | AttemptError {
  const preamble = createPreamble();
  const ends = [...new Set(cuts.map((cut) => cut % response.length)), response.length].sort((a, b) => a - b);
  let out = '';
  let from = 0;
  for (const end of ends) {
    const piece = preamble(Buffer.from(response.slice(from, end), 'latin1'));
    if (piece instanceof AttemptError) return piece;
    out += piece.toString('latin1');
    from = end;
  }
  return out;
}

const cuts = fc.array(fc.nat(2_000), { maxLength: 30 });
const word = fc.stringMatching(/^[ -~]{0,30}$/);
const lineEnd = fc.constantFrom('\r\n', '\n');
const informational = fc
  .tuple(
    fc.constantFrom('100', '102', '103', '199'),
    word,
    fc.array(word.filter((text) => text !== '')),
    lineEnd,
  )
  .map(([status, words, headers, end]) => [`HTTP/1.1 ${status} ${words}`, ...headers, '', ''].join(end));
const empty = fc.constantFrom('', '', '\r\n', '\n\n');
const response = fc
  .tuple(
    fc.constantFrom('1.1', '1.0'),
    fc.integer({ min: 200, max: 999 }),
    word,
    fc.string({ unit: 'binary' }),
  )
  .map(([version, status, words, rest]) => `HTTP/${version} ${status} ${words}\r\n${rest}`);

test('a response passes unchanged, however many 1xx come before it and wherever packets end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(empty, informational), { maxLength: 16 }),
      response,
      cuts,
      (before, real, at) => {
        expect(read(before.flat().join('') + real, at)).toBe(Buffer.from(real, 'latin1').toString('latin1'));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('the seventeenth 1xx ends it', () => {
  fc.assert(
    fc.property(
      fc.array(informational, { minLength: 17, maxLength: 30 }),
      response,
      cuts,
      (before, real, at) => {
        expect(read(before.join('') + real, at)).toMatchObject({
          failure: 'protocol_error',
          message: 'more than 16 informational responses',
        });
      },
    ),
  );
});

test('whatever passes begins with a status line of HTTP/1.1 or 1.0, from 200 to 999', () => {
  const likely = fc.mixedCase(
    fc.constantFrom('HTTP/1.1 200 OK\r\n', 'HTTP/1.0 000 OK\r\n', 'HTTP/1.1 100\r\n\r\n'),
  );
  const change = fc.tuple(fc.nat(12), fc.constantFrom('0', '1', '2', '9', ' ', '\t', '/', '.', 'x', '\0'));
  fc.assert(
    fc.property(likely, fc.array(change, { maxLength: 3 }), cuts, (text, changes, at) => {
      const bytes = [...text];
      for (const [index, byte] of changes) bytes[index] = byte;
      const out = read(bytes.join(''), at);
      if (out instanceof AttemptError) expect(out.failure).toBe('protocol_error');
      else expect(out).toMatch(/^(HTTP\/1\.[01] [2-9]\d\d[ \r\n]|$)/);
    }),
    { numRuns: 2_000 },
  );
});

test.for(['G', 'HTTP/2', 'HTTP/1.1 0', 'HTTP/1.1 20x', '\r\n\r\nh', '220 mail'])(
  'what cannot become a status line any more (%j) is refused without waiting for more',
  (text) => {
    expect(read(text, [])).toMatchObject({ failure: 'protocol_error' });
  },
);
