/** Compares the rules of a project with the same rules after one change, on all events. Runs in a thread. */
import { compareRules, type Decision, type PatternOptions, type Rule, stringifyJson } from 'headgate';
import type { GivenRules } from './given.js';

/** A change to look at. */
export interface GivenChange {
  readonly rules: GivenRules;
  /** JSON of the rule, with its id. */
  readonly changed: string;
}

/** Units of work, about ten nanoseconds each: half of the time of a trial. */
const MAX_WORK = 50_000_000;

/** @returns JSON of the answer, whose event may be deep. */
export function proveRule(
  { changed }: GivenChange,
  saved: readonly Rule[],
  patterns: PatternOptions | undefined,
): string {
  const rule = JSON.parse(changed) as Rule;
  const others = saved.filter(({ id }) => id !== rule.id);
  const options = { maxWork: MAX_WORK, ...(patterns !== undefined && { patterns }) };
  const proof = compareRules(saved, [...others, rule], options);
  const differs = proof.answer === 'differs' ? proof : null;
  return stringifyJson({
    answer: proof.answer,
    reason: proof.answer === 'unknown' ? proof.reason : null,
    event: differs?.event ?? null,
    before: differs === null ? null : shown(differs.before),
    after: differs === null ? null : shown(differs.after),
  });
}

const shown = ({ outcome, tags, endpointIds }: Decision) => ({
  outcome,
  tags: [...tags],
  endpoint_ids: endpointIds === null ? null : [...endpointIds],
});
