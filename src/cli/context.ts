/** The outside of a command: its streams, its environment, its clock. Tests have one of their own. */
import type { Printer } from './output/printer.js';
import type { Input, Output } from './streams.js';
import type { Spec } from './table/spec.js';

/** The outside of the process. */
export interface Host {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the command was called in. */
  readonly folder: string;
  /** Unix ms. */
  readonly now: () => number;
  /** Random bytes for secrets, as many as asked for. */
  readonly random: (bytes: number) => Uint8Array;
  /**
   * From now on, a signal to terminate no longer ends the process: it aborts this `AbortSignal`. For commands that have
   * something to finish first.
   */
  readonly interruption: () => AbortSignal;
  readonly version: string;
}

/** The outside of a command: data goes to `out`, words to `say`. */
export interface Context extends Host {
  readonly out: Printer;
  readonly say: Printer;
  /** The specs of all commands. */
  readonly specs: readonly Spec[];
}

/** A command line that cannot be meant. The message repeats no value that may be a secret. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command that could not do its work: a file that is not there, a database that does not answer. */
export class Failure extends Error {
  override readonly name = 'Failure';
}
