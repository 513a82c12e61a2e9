/**
 * `headgate/re2-wasm`: Google's RE2 itself, compiled to WebAssembly, as the pattern engine.
 *
 * Needs the optional peer dependency `re2-wasm` and a runtime with `node:module` that allows code generation.
 * @module headgate/re2-wasm
 */
import { widthAt, widthBefore } from '../code-points.js';
import type { EngineProgram, PatternEngine, PatternMatch } from '../port.js';
import { Instance, type NativeMatch, type NativePattern } from './instance.js';

export type { EngineProgram, PatternEngine, PatternMatch };

/** Longer subjects do not fit into the heap beside RE2's own automata. */
const MAX_SUBJECT_LENGTH = 1 << 20;
const MAX_PROGRAMS = 32;

/**
 * Creates an engine on Google's RE2.
 *
 * @returns An engine with a heap of its own, 16 MiB. One is enough for a process.
 * @throws Error when the package `re2-wasm` is not installed.
 */
export function createRe2WasmEngine(): PatternEngine {
  const instance = new Instance();
  return {
    name: 're2-wasm',
    maxSubjectLength: MAX_SUBJECT_LENGTH,
    maxPrograms: MAX_PROGRAMS,
    compile: (pattern) => new Program(instance, pattern),
  };
}

/** A program; its object in the heap is made again after each reset of the heap, and freed by `dispose`. */
class Program implements EngineProgram {
  readonly #instance: Instance;
  readonly #pattern: string;
  #native: NativePattern | undefined;
  #generation = -1;
  /** RE2 finds `\B` between the bytes of one character too, so the start of such a match must be checked. */
  readonly #splitsCharacters: boolean;

  constructor(instance: Instance, pattern: string) {
    this.#instance = instance;
    this.#pattern = pattern;
    this.#splitsCharacters = pattern.includes('\\B');
    this.#run(() => true);
  }

  test(subject: string): boolean {
    if (this.#splitsCharacters) return this.next(subject, 0, false) !== null;
    return this.#run((native) => native.match(subject, 0, false).index >= 0);
  }

  next(subject: string, from: number, groups: boolean): PatternMatch | null {
    const span = this.#run((native) => search(native, subject, from, groups));
    if (!this.#splitsCharacters || span === null || span.end > span.start || span.start === from) return span;
    return this.next(subject, span.start, groups);
  }

  dispose(): void {
    if (this.#generation === this.#instance.generation) this.#native?.delete();
    this.#native = undefined;
    this.#generation = -1;
  }

  /** Runs RE2. An exception means that it aborted: the heap is reset, and a second try has all of it. */
  #run<Result>(use: (native: NativePattern) => Result): Result {
    try {
      return use(this.#compiled());
    } catch {
      this.#instance.reset();
    }
    try {
      return use(this.#compiled());
    } catch (failure) {
      this.#instance.reset();
      throw failure;
    }
  }

  #compiled(): NativePattern {
    if (this.#native !== undefined && this.#generation === this.#instance.generation) return this.#native;
    const native = this.#instance.compile(this.#pattern);
    if (!native.ok()) {
      native.delete();
      throw new RangeError('re2-wasm: the program is larger than RE2 allows');
    }
    this.#native = native;
    this.#generation = this.#instance.generation;
    return native;
  }
}

/** Passes only the rest of the subject, with one character before it for `^` and `\b`. */
function search(native: NativePattern, subject: string, from: number, groups: boolean): PatternMatch | null {
  const base = from === 0 ? 0 : from - widthBefore(subject, from);
  const found = native.match(base === 0 ? subject : subject.slice(base), from === base ? 0 : 1, groups);
  return found.index < 0 ? null : spanOf(subject, base, found);
}

/** Converts positions in code points after `base` to UTF-16 units of the subject. */
function spanOf(subject: string, base: number, { match, index, groups }: NativeMatch): PatternMatch {
  let start = base;
  for (let passed = 0; passed < index; passed++) start += widthAt(subject, start);
  return { start, end: start + match.length, groups };
}
