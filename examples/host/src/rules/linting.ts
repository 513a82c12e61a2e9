/** The warnings of lint about a rule that was saved. They refuse nothing, so they are also nothing to wait long for. */
import type { CurrentRules } from './current.js';
import { warningsAbout } from './checking.js';
import type { Turns } from '../limits/turns.js';
import type { RuleWarning } from './routes.js';
import { rulePool } from './rule-pool.js';

/** Rules of at most this many UTF-16 units are checked in milliseconds, without a thread. */
const SMALL_UNITS = 16_384;
const TIMEOUT_MS = 5_000;

/** @returns A warning `not_checked` if there is no time or no room for it. */
export async function warningsOf(
  project: string,
  id: string,
  current: CurrentRules,
  turns: Pick<Turns, 'run'>,
): Promise<RuleWarning[]> {
  if (current.text.length <= SMALL_UNITS) return warningsAbout(id, current.rules);
  try {
    return await turns.run(project, () => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return rulePool.run('lint', { id, rules: current.text }, { signal });
    });
  } catch {
    return [NOT_CHECKED];
  }
}

const NOT_CHECKED: RuleWarning = {
  code: 'not_checked',
  pointer: '',
  message: 'the rules of this project are too many or too large to look for mistakes just now',
  related: [],
};
