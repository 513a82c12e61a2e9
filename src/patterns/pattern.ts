/**
 * A pattern: compiled, and tested within a budget.
 *
 * A test goes through tiers, cheapest first: a finite set of texts needs no more than a search for them; a text without
 * the pattern's required literals is ruled out; a small pattern runs on an automaton of its own, any other on the
 * engine.
 */
import { cachedAutomaton } from './automaton/cache.js';
import { fitsAutomaton } from './automaton/positions.js';
import { parsePattern } from './check.js';
import { OptionError } from '../errors.js';
import { holdsLiterals, requiredLiterals, type Clause } from './literals.js';
import { nativeSearcher } from './native.js';
import { noEngine } from './no-engine.js';
import type { PatternEngine } from './port.js';
import { printPattern } from './print.js';
import { programsOf } from './program-cache.js';
import { directly, type ScanProbe, type TextFinder } from './texts.js';
import type { Node } from './tree.js';

/** The default budget of one match or transform on one event. */
const DEFAULT_BUDGET = 100_000_000;

/** An account of work. Patterns that are given the same account spend from one budget. */
export interface Work {
  /** Work that may still be done: cost × UTF-16 units. */
  left: number;
  /** Searches subjects for texts; such work is not charged. @defaultValue a search without a cache */
  readonly texts?: TextFinder;
  /** Called with all text that automata and engines read. */
  readonly probe?: ScanProbe | undefined;
  /** Set when a redaction needed more work than was left. */
  exceeded?: boolean;
}

/** The longest subject, in UTF-16 units, that is searched without the event's cache. */
const MAX_UNCACHED_UNITS = 256;

/** The engine and the budget of patterns. */
export interface PatternOptions {
  /** @defaultValue re2js; with `headgate/slim` none, and a pattern that needs one is refused */
  readonly engine?: PatternEngine;
  /**
   * Work that one match tree, and again one transform, may take on one event: cost × UTF-16 units of the subject for
   * patterns, and the length of its string or value for any other op, added up.
   *
   * @defaultValue `100_000_000`
   */
  readonly budget?: number;
  /**
   * Work that all match trees together, and again all transforms together, may take on one event. Without it each rule
   * may spend its own budget, however many rules there are.
   *
   * @defaultValue no limit
   */
  readonly eventBudget?: number;
}

/** A compiled pattern. It is small: automata and programs of engines are made at the first test, in bounded caches. */
export interface Pattern {
  /** The pattern as written. */
  readonly source: string;
  /** 1..1,200. */
  readonly cost: number;
  /** Every match contains at least one text of each clause. Empty if no text is required. */
  readonly requiredLiterals: readonly Clause[];
  /** Whether testing it is never charged, so that it is decided on every subject. */
  readonly free: boolean;
  /**
   * Whether the pattern is found anywhere in the subject.
   *
   * @param subject - Any string; a lone surrogate counts as one character, U+FFFD.
   * @param work - The account to charge. @defaultValue a new one that holds the budget
   * @returns `undefined` when undecided: the test needs more work than is left, or the engine failed.
   */
  test(subject: string, work?: Work): boolean | undefined;
}

/**
 * Compiles a pattern.
 *
 * @param source - RE2 syntax, at most 200 code points.
 * @throws {@link PatternError} where {@link checkPattern} returns a problem.
 * @throws {@link OptionError} `invalid_option` unless the budget is a positive number.
 */
export function compilePattern(source: string, options: PatternOptions = {}): Pattern {
  const { tree, cost } = parsePattern(source);
  const { engine, budget } = readOptions(options);
  const native = nativeSearcher(tree);
  const literals = requiredLiterals(tree);
  const run = fitsAutomaton(tree) ? cachedAutomaton(source) : engineTest(engine, tree);

  function test(subject: string, work: Work = { left: budget }): boolean | undefined {
    const texts = subject.length <= MAX_UNCACHED_UNITS ? directly : (work.texts ?? directly);
    const text = texts.wellFormed(subject);
    if (native !== null) return native.test(text, texts);
    if (!holdsLiterals(literals, text, texts)) return false;
    const due = cost * text.length;
    if (due > work.left || text.length > engine.maxSubjectLength) return undefined;
    work.left -= due;
    if (work.probe !== undefined) work.probe.units += text.length;
    return run(text);
  }

  return { source, cost, requiredLiterals: literals, free: native !== null, test };
}

/** A test by the engine. */
function engineTest(engine: PatternEngine, tree: Node): (text: string) => boolean | undefined {
  const printed = printPattern(tree);
  return (text) => attempt(engine, printed, (program) => program.test(text));
}

/**
 * The longest subject, in UTF-16 units, on which a pattern with a budget of its own is always decided, unless its
 * engine fails.
 */
export function decidedUpTo({ free, cost }: Pattern, options: PatternOptions = {}): number {
  const { engine, budget } = readOptions(options);
  return free ? Infinity : Math.min(Math.floor(budget / cost), engine.maxSubjectLength);
}

/** The budget of one rule that options ask for: no more than that of an event. */
export const budgetOf = (options: PatternOptions): number => readOptions(options).budget;

/** Options with their defaults filled in, checked. */
export function readOptions({
  engine = noEngine,
  budget = DEFAULT_BUDGET,
  eventBudget = Infinity,
}: PatternOptions): Required<PatternOptions> {
  for (const [name, units] of Object.entries({ budget, eventBudget })) {
    if (units > 0) continue;
    throw new OptionError(
      'invalid_option',
      `${name} must be a positive number of work units; it is ${units}`,
    );
  }
  return { engine, budget: Math.min(budget, eventBudget), eventBudget };
}

/** Runs an engine's program. When the engine fails, the result is `undefined` and the program is dropped. */
export function attempt<Answer>(
  engine: PatternEngine,
  printed: string,
  use: (program: ReturnType<PatternEngine['compile']>) => Answer,
): Answer | undefined {
  const programs = programsOf(engine);
  try {
    return use(programs.get(printed));
  } catch {
    programs.drop(printed);
    return undefined;
  }
}
