/** A command: its spec, and its code. */
import type { Context } from '../context.js';
import type { Spec, Values } from './spec.js';

/**
 * `0`: done, and nothing is wrong. `1`: findings, such as a rule with problems or a delivery that is not genuine. `2`:
 * the command could not do its work.
 */
export type Exit = 0 | 1 | 2;

/** The code of a command. */
export type Run<S extends Spec> = (values: Values<S>, context: Context) => Promise<Exit>;

/** A command: its spec, and its code, which is loaded when it runs. */
export interface Command {
  readonly spec: Spec;
  readonly run: (values: Values<Spec>, context: Context) => Promise<Exit>;
}

/** Joins a spec with its code. */
export const command = <S extends Spec>(spec: S, load: () => Promise<{ readonly run: Run<S> }>): Command => ({
  spec,
  // The values were read by this very spec.
  run: async (values, context) => (await load()).run(values as unknown as Values<S>, context),
});
