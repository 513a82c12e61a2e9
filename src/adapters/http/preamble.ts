/** Checks the first bytes of a response before undici's parser sees them. */
import { AttemptError, NOT_HTTP } from './failure.js';

/** 1xx responses before the real one; honest receivers send one or two. */
const MAX_INFORMATIONAL = 16;

/** The first bytes of any response. */
const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d[ \r\n]/;
/** The first bytes of one that is not 1xx. */
const FINAL = /^HTTP\/1\.[01] [2-9]\d\d[ \r\n]/;
/** Completes what may become a status line: no place of one depends on another. */
const SAMPLE = 'HTTP/1.1 200 ';
const END_OF_HEAD = /\n\r?\n/;

/**
 * Takes away what comes before a response: empty lines, and the 1xx responses that clients must skip (RFC 9110, 15.2).
 * So undici's parser, which trips over 100, 101 and whatever is below, and takes `HTTP/2.0` and `RTSP/1.0` for HTTP/1.1,
 * meets nothing but a status line of HTTP/1.1 or 1.0 with a status from 200 to 999. Lives for one response.
 *
 * @returns Takes the bytes of a response, piece by piece; gives those that may be read on, or what is wrong with them.
 */
export function createPreamble(): (piece: Buffer) => Buffer | AttemptError {
  let passed = false;
  let skipping = false;
  let informational = 0;
  /** The last bytes, latin1, where they can only be understood with those that follow. */
  let held = '';

  /** Where the response begins in `text`; -1 while nothing of it is there. */
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
      if (status === 101) return new AttemptError('protocol_error', 'the answer switches protocols');
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
      passed = true; // nearly always
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
