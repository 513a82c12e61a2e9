/** Splits the text of events into the texts of single events, however it is cut into chunks. */

/** The text of one event, and where it begins. */
export interface Piece {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** It is longer than any event may be; its text is left out. */
  readonly isTooLong?: true;
}

/** Takes chunks of text, and gives pieces. */
export interface Splitter {
  readonly feed: (text: string) => Generator<Piece>;
  /** The rest, once there is no more text. */
  readonly end: () => Generator<Piece>;
}

/** UTF-16 units of one event. */
const MAX_UNITS = 33_554_432;

/** Collects a piece out of chunks. Of one that grows too long it keeps nothing. */
class Collector {
  #parts: string[] = [];
  #units = 0;
  #line = 0;
  #column = 0;

  /** The piece begins here. */
  begin(line: number, column: number): void {
    [this.#line, this.#column] = [line, column];
  }

  add(part: string): void {
    this.#units += part.length;
    if (this.#units <= MAX_UNITS) this.#parts.push(part);
    else this.#parts = [];
  }

  take(): Piece {
    const position = { line: this.#line, column: this.#column };
    const piece: Piece =
      this.#units <= MAX_UNITS
        ? { ...position, text: this.#parts.join('') }
        : { ...position, text: '', isTooLong: true };
    this.#parts = [];
    this.#units = 0;
    return piece;
  }
}

/** One event a line. Empty lines are left out. */
export function lineSplitter(): Splitter {
  const collector = new Collector();
  let line = 1;
  collector.begin(line, 1);
  function* take(): Generator<Piece> {
    const piece = collector.take();
    if (piece.isTooLong === true || piece.text.trim() !== '') yield piece;
    line++;
    collector.begin(line, 1);
  }
  return {
    *feed(text) {
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        collector.add(text.slice(start, end));
        start = end + 1;
        yield* take();
      }
      collector.add(text.slice(start));
    },
    end: take,
  };
}

/** The members of one array, or documents one after another. Whether a piece is JSON is not looked at here. */
export const valueSplitter = (): Splitter => new ValueSplitter();

/** Follows brackets and strings. Made for one input. */
class ValueSplitter implements Splitter {
  readonly #collector = new Collector();
  #line = 1;
  #column = 1;
  #isInArray = false;
  /** Brackets that are open in the piece. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasBegun = false;
  /**
   * A comma or the bracket of the array came last, so that a member must follow; the bracket may also be followed by
   * its end.
   */
  #needs: 'member' | 'member or end' | 'nothing' = 'nothing';

  *feed(text: string): Generator<Piece> {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text[at] as string;
      const step = this.#step(unit);
      if (step === 'begins') {
        this.#collector.begin(this.#line, this.#column);
        start = at;
      } else if (step === 'ends before' || step === 'ends after') {
        const end = step === 'ends after' ? at + 1 : at;
        if (this.#hasBegun) this.#collector.add(text.slice(start, end));
        else this.#collector.begin(this.#line, this.#column);
        this.#hasBegun = false;
        yield this.#collector.take();
      }
      this.#advance(unit);
    }
    if (this.#hasBegun) this.#collector.add(text.slice(start));
  }

  *end(): Generator<Piece> {
    if (this.#hasBegun) yield this.#collector.take();
    if (!this.#isInArray) return;
    // The array does not end: a piece that says so where it is parsed.
    this.#collector.begin(this.#line, this.#column);
    this.#collector.add('[');
    yield this.#collector.take();
  }

  #advance(unit: string): void {
    if (unit === '\n') [this.#line, this.#column] = [this.#line + 1, 1];
    else this.#column++;
  }

  #step(unit: string): 'goes on' | 'begins' | 'ends before' | 'ends after' {
    if (this.#isInString) return this.#inString(unit);
    if (this.#hasBegun) return this.#inPiece(unit);
    if (/\s/.test(unit)) return 'goes on';
    if (this.#isInArray && (unit === ',' || unit === ']')) return this.#betweenMembers(unit);
    if (!this.#isInArray && unit === '[') {
      this.#isInArray = true;
      this.#needs = 'member or end';
      return 'goes on';
    }
    this.#hasBegun = true;
    this.#needs = 'nothing';
    this.#depth = 0;
    this.#inPiece(unit);
    return 'begins';
  }

  #inString(unit: string): 'goes on' {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === '\\') this.#isEscaped = true;
    else if (unit === '"') this.#isInString = false;
    return 'goes on';
  }

  #inPiece(unit: string): 'goes on' | 'ends before' | 'ends after' {
    if (unit === '"') this.#isInString = true;
    if (unit === '{' || unit === '[') this.#depth++;
    if (this.#depth === 0) return this.#endsScalar(unit) ? 'ends before' : 'goes on';
    if (unit !== '}' && unit !== ']') return 'goes on';
    this.#depth--;
    return this.#depth === 0 && !this.#isInArray ? 'ends after' : 'goes on';
  }

  /** Whether a value that is not an object, or that is an element, ended before this unit. */
  #endsScalar(unit: string): boolean {
    if (!this.#isInArray) return unit === '\n';
    if (unit !== ',' && unit !== ']') return false;
    this.#betweenMembers(unit);
    return true;
  }

  /** A comma, or the end of the array. If a member is missing before it, that is an empty piece. */
  #betweenMembers(unit: string): 'goes on' | 'ends before' {
    const isMissing = this.#needs === 'member' || (this.#needs === 'member or end' && unit === ',');
    this.#isInArray = unit === ',';
    this.#needs = unit === ',' ? 'member' : 'nothing';
    return isMissing ? 'ends before' : 'goes on';
  }
}
