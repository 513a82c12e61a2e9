/** The start of a response, before undici parses it. */
import { AttemptError, NOT_HTTP } from './failure.js';

/** Most 1xx responses before the final one; ordinary receivers send one or two. */
const MAX_INFORMATIONAL = 16;

/** The first bytes of any response. */
const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d[ \r\n]/;
/** The first bytes of a response that is not 1xx. */
const FINAL = /^HTTP\/1\.[01] [2-9]\d\d[ \r\n]/;
/** Completes a partial status line, so that one pattern checks lines of any length. */
const SAMPLE = 'HTTP/1.1 200 ';
const END_OF_HEAD = /\n\r?\n/;

/**
 * Removes what may come before the final response: empty lines, and 1xx responses, which clients must skip (RFC 9110,
 * 15.2). undici's parser fails on the statuses 100 and 101 and on those below, and reads `HTTP/2.0` and `RTSP/1.0` as
 * HTTP/1.1. So it gets only responses of HTTP/1.1 or 1.0 with a status from 200 to 999.
 *
 * @returns A function for one response. It takes the bytes piece by piece, and returns those to parse, or an error.
 */
export function createPreamble(): (piece: Buffer) => Buffer | AttemptError {
  let passed = false;
  let skipping = false;
  let informational = 0;
  /** The last bytes as latin1, where they must be read together with the next ones. */
  let held = '';

  /** Index in `text` where the final response begins; -1 while it has not begun. */
  function beginning(text: string): number | AttemptError {
    let at = 0;
    for (;;) {
      if (skipping) {
        const end = END_OF_HEAD.exec(text.slice(at));
        if (end === null) return hold(text.slice(at).slice(-2));
        at += end.index + end[0].length;
        skipping = false;
      }
      while (text[at] === '\r' || text[at] === '\n') at++;
      const line = text.slice(at, at + SAMPLE.length);
      if (!STATUS_LINE.test(line + SAMPLE.slice(line.length))) {
        return new AttemptError('protocol_error', NOT_HTTP);
      }
      if (line.length < SAMPLE.length) return hold(line);
      const status = Number(line.slice(9, 12));
      if (status >= 200) return at;
      if (status === 101) return new AttemptError('protocol_error', 'the response switches protocols');
      if (++informational > MAX_INFORMATIONAL) {
        return new AttemptError('protocol_error', `more than ${MAX_INFORMATIONAL} informational responses`);
      }
      at += SAMPLE.length - 1;
      skipping = true;
    }
  }
  function hold(bytes: string): -1 {
    held = bytes;
    return -1;
  }
  return (piece) => {
    if (passed) return piece;
    if (held === '' && !skipping && FINAL.test(piece.toString('latin1', 0, SAMPLE.length))) {
      passed = true; // the usual case
      return piece;
    }
    const text = held + piece.toString('latin1');
    const at = beginning(text);
    if (at instanceof AttemptError) return at;
    if (at < 0) return NOTHING;
    passed = true;
    return at >= held.length ? piece.subarray(at - held.length) : Buffer.from(text.slice(at), 'latin1');
  };
}

const NOTHING = Buffer.alloc(0);
