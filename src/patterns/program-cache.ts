/** The compiled programs of an engine, as many as it may hold. */
import type { EngineProgram, PatternEngine } from './port.js';

/**
 * Keeps the programs that were used last. A program is compiled at its first use, disposed of when it is evicted, and
 * compiled again at its next use. There is one cache for each engine; it lives as long as the engine.
 */
export class ProgramCache {
  readonly #engine: PatternEngine;
  /** Least recently used first. */
  readonly #programs = new Map<string, EngineProgram>();

  constructor(engine: PatternEngine) {
    this.#engine = engine;
  }

  /** The program of a printed pattern. */
  get(pattern: string): EngineProgram {
    const program = this.#programs.get(pattern) ?? this.#engine.compile(pattern);
    this.#programs.delete(pattern);
    this.#programs.set(pattern, program);
    if (this.#programs.size > this.#engine.maxPrograms) {
      this.drop(this.#programs.keys().next().value as string);
    }
    return program;
  }

  /** Disposes of a program, to evict it or since its engine failed. */
  drop(pattern: string): void {
    this.#programs.get(pattern)?.dispose();
    this.#programs.delete(pattern);
  }
}

const caches = new WeakMap<PatternEngine, ProgramCache>();

/** The cache of an engine. */
export function programsOf(engine: PatternEngine): ProgramCache {
  let cache = caches.get(engine);
  if (cache === undefined) caches.set(engine, (cache = new ProgramCache(engine)));
  return cache;
}
