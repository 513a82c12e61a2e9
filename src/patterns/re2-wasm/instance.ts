/** A private instance of re2-wasm's module that can be put back to its first state. */
import { OptionError } from '../../errors.js';

/** RE2 as the module's own wrapper shows it; positions count code points. */
export interface NativePattern {
  ok(): boolean;
  match(subject: string, start: number, groups: boolean): NativeMatch;
  /** Frees it; nothing else does. */
  delete(): void;
}

/** What `match` found. */
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

/** The WebAssembly heap, 16 MiB that never grow, and what lives in it. */
export class Instance {
  /** Counts resets: objects of an earlier generation are gone. */
  generation = 0;
  private readonly module = loadModule();
  private readonly stackTop = this.module.stackSave();
  /** The heap before any object was made, up to its last byte that is not zero. */
  private readonly firstState = trimZeros(this.module.HEAPU8);

  /** Compiles a pattern. */
  compile(pattern: string): NativePattern {
    return new this.module.WrappedRE2(pattern, false, false, false);
  }

  /**
   * Forgets all objects, after an abort has left them in any state. Restoring costs a copy; a new
   * instance would cost 16 MiB that the garbage collector is slow to see.
   */
  reset(): void {
    this.module.HEAPU8.fill(0);
    this.module.HEAPU8.set(this.firstState);
    this.module.stackRestore(this.stackTop);
    this.generation++;
  }
}

/** Evaluates the module anew, so that a host's own use of re2-wasm and ours never share a heap. */
function loadModule(): Module {
  // Not imported, or bundlers would look for what it loads, and warn that they cannot tell.
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
  const path = resolveModule(require);
  const shared = require.cache[path];
  delete require.cache[path];
  try {
    return require(path) as Module;
  } finally {
    if (shared === undefined) delete require.cache[path];
    else require.cache[path] = shared;
  }
}

function resolveModule(require: NodeJS.Require): string {
  try {
    return require.resolve('re2-wasm/build/wasm/re2.js');
  } catch {
    throw new OptionError('invalid_option', 're2-wasm is not there: npm install re2-wasm@1.0.2');
  }
}

function trimZeros(heap: Uint8Array): Uint8Array {
  let end = heap.length;
  while (end > 0 && heap[end - 1] === 0) end--;
  return heap.slice(0, end);
}
