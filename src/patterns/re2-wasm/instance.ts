/** A private instance of re2-wasm's module, which can be reset to its first state. */
import { OptionError } from '../../errors.js';
import { requireFor } from '../../peers.js';

/** A compiled pattern of the module; positions count code points. */
export interface NativePattern {
  ok(): boolean;
  match(subject: string, start: number, groups: boolean): NativeMatch;
  /** Frees it; the garbage collector does not. */
  delete(): void;
}

/** The result of `match`. */
export interface NativeMatch {
  readonly match: string;
  /** In code points; negative without a match. */
  readonly index: number;
  readonly groups: readonly (string | undefined)[];
}

interface Module {
  readonly HEAPU8: Uint8Array;
  readonly WrappedRE2: new (
    pattern: string,
    ignoreCase: boolean,
    multiline: boolean,
    dotAll: boolean,
  ) => NativePattern;
  stackSave(): number;
  stackRestore(pointer: number): void;
}

/**
 * The module and its heap of 16 MiB, which never grows. Made with an engine and kept as long; `reset` frees all objects
 * in it.
 */
export class Instance {
  /** The number of resets. Objects of an earlier generation no longer exist. */
  generation = 0;
  readonly #module = loadModule();
  readonly #stackTop = this.#module.stackSave();
  /** The heap before the first object was made, without zeros at its end. */
  readonly #firstState = trimZeros(this.#module.HEAPU8);

  /** Compiles a pattern. */
  compile(pattern: string): NativePattern {
    return new this.#module.WrappedRE2(pattern, false, false, false);
  }

  /**
   * Restores the first state after an abort, which leaves the heap in an unknown state. A new instance would take
   * another 16 MiB, which the garbage collector is slow to free.
   */
  reset(): void {
    this.#module.HEAPU8.fill(0);
    this.#module.HEAPU8.set(this.#firstState);
    this.#module.stackRestore(this.#stackTop);
    this.generation++;
  }
}

/** Evaluates the module once more, so that the heap is not shared with a host that uses re2-wasm itself. */
function loadModule(): Module {
  const require = requireForModule();
  const path = require.resolve(MODULE);
  const shared = require.cache[path];
  delete require.cache[path];
  try {
    return require(path) as Module;
  } finally {
    if (shared === undefined) delete require.cache[path];
    else require.cache[path] = shared;
  }
}

const MODULE = 're2-wasm/build/wasm/re2.js';

function requireForModule(): NodeJS.Require {
  try {
    return requireFor(MODULE);
  } catch {
    throw new OptionError('invalid_option', 're2-wasm is not there: npm install re2-wasm@1.0.2');
  }
}

function trimZeros(heap: Uint8Array): Uint8Array {
  let end = heap.length;
  while (end > 0 && heap[end - 1] === 0) end--;
  return heap.slice(0, end);
}
