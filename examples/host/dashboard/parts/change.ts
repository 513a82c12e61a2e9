/** A change that a form or a button makes: one at a time, with what is wrong with it where it is refused. */
import { useState } from 'preact/hooks';
import { ApiError, sentenceOf } from '../data/index.js';

export interface Changing {
  readonly isBusy: boolean;
  /** A sentence for the whole form; null if every problem is shown at a field. */
  readonly error: string | null;
  /** The sentence for a field, by its pointer in the body, such as `/url`. */
  readonly at: (pointer: string) => string | null;
  /** The error that was thrown, for callers that need its code; null if nothing was thrown. */
  readonly problem: unknown;
  /** Does it; resolves with whether it went well. */
  readonly run: (work: () => Promise<void>) => Promise<boolean>;
  readonly clear: () => void;
}

/** @param fields - Pointers of the fields that show their own sentences. */
export function useChange(fields: readonly string[] = []): Changing {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const isAtFields = fields.some((field) => issueAt(problem, field) !== null);
  return {
    isBusy,
    problem,
    run,
    error: problem === null || isAtFields ? null : sentenceOf(problem),
    at: (pointer) => issueAt(problem, pointer),
    clear: () => setProblem(null),
  };
}

/** The first issue at a pointer, or below it, as a sentence. */
function issueAt(problem: unknown, pointer: string): string | null {
  if (!(problem instanceof ApiError)) return null;
  const issue = problem.issues.find(
    (one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`),
  );
  if (issue === undefined) return null;
  const text = issue.message.charAt(0).toUpperCase() + issue.message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
