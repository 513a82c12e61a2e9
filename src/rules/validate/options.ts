/** Options, checked before anything else happens: an option that nobody reads is a slip of the pen. */
import { OptionError } from '../../errors.js';
import { isObject } from '../../json.js';
import type { PatternOptions } from '../../patterns/index.js';
import { guess, show } from '../issues/index.js';

/** The options of all functions that compile rules. */
export interface RuleOptions {
  /** Which RE2 engine runs the patterns, and how much work one rule, and all rules together, may do on one event. */
  readonly patterns?: PatternOptions;
}

/** An option that cannot work. */
export const invalidOption = (message: string): OptionError => new OptionError('invalid_option', message);

/**
 * Refuses a value that is not an object, and unknown members.
 *
 * @param what - Names the options in messages, such as `the options of dryRun`.
 * @throws {@link OptionError} `invalid_option`
 */
export function checkOptions(what: string, options: unknown, known: readonly string[]): void {
  if (!isObject(options)) throw invalidOption(`${what} must be an object; this is ${show(options)}`);
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw invalidOption(
    `${what}: unknown ${show(unknown)}.${guess(unknown, known)} Known here: ${known.join(', ')}`,
  );
}

/**
 * The pattern options among those of a function, checked and copied, so that no later change to them has an effect.
 *
 * @param of - Name of the function.
 * @param known - Further members that the function takes.
 * @throws {@link OptionError} `invalid_option`
 */
export function readPatternOptions(
  of: string,
  options: RuleOptions,
  known: readonly string[] = [],
): PatternOptions {
  checkOptions(`the options of ${of}`, options, [...known, 'patterns']);
  const { patterns = {} } = options;
  checkOptions(`patterns in the options of ${of}`, patterns, ['engine', 'budget', 'eventBudget']);
  const { engine, budget, eventBudget } = patterns;
  if (
    engine !== undefined &&
    typeof (engine as unknown as Partial<typeof engine> | null)?.compile !== 'function'
  ) {
    throw invalidOption(
      `patterns.engine must be an engine, such as createRe2WasmEngine() makes; it is ${show(engine)}`,
    );
  }
  checkUnits('budget', budget);
  checkUnits('eventBudget', eventBudget);
  return {
    ...(engine !== undefined && { engine }),
    ...(budget !== undefined && { budget }),
    ...(eventBudget !== undefined && { eventBudget }),
  };
}

function checkUnits(name: string, units: unknown): void {
  if (units === undefined || (typeof units === 'number' && units > 0)) return;
  throw invalidOption(
    `${name} must be a positive number of work units; it is ${show(units)}: give one such as 100000000`,
  );
}
