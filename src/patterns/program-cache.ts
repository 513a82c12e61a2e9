/** Compiled programs, as many as an engine may hold. */
import type { EngineProgram, PatternEngine } from './port.js';

/** Keeps the programs used last; what falls out is disposed of and compiled again on its next use. */
export class ProgramCache {
  /** Least recently used first. */
  private readonly programs = new Map<string, EngineProgram>();

  constructor(private readonly engine: PatternEngine) {}

  /** The program of a printed pattern. */
  get(pattern: string): EngineProgram {
    const program = this.programs.get(pattern) ?? this.engine.compile(pattern);
    this.programs.delete(pattern);
    this.programs.set(pattern, program);
    if (this.programs.size > this.engine.maxPrograms) this.drop(this.programs.keys().next().value as string);
    return program;
  }

  /** Forgets a program, for room or because its engine failed. */
  drop(pattern: string): void {
    this.programs.get(pattern)?.dispose();
    this.programs.delete(pattern);
  }
}

const caches = new WeakMap<PatternEngine, ProgramCache>();

/** The one cache of an engine. */
export function programsOf(engine: PatternEngine): ProgramCache {
  let cache = caches.get(engine);
  if (cache === undefined) caches.set(engine, (cache = new ProgramCache(engine)));
  return cache;
}
