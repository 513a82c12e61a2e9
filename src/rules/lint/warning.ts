/** The warnings of lint. */
import type { Issue } from '../../errors.js';
import type { Rule } from '../rule.js';

/** Probable mistakes in a valid rule. `odd_path` and `odd_pattern` are guesses; the others are sure. */
export type LintCode =
  | 'always_tried'
  | 'behind_drop'
  | 'drops_everything'
  | 'never_matches'
  | 'not_checked'
  | 'odd_path'
  | 'odd_pattern';

/** A location in one of the rules. */
export interface LintLocation {
  readonly rule: Rule;
  /** RFC 6901 pointer from the root of the rule. */
  readonly pointer: string;
}

/** One probable mistake in a valid rule. */
export interface LintWarning extends Issue<LintCode>, LintLocation {
  /** The leaves that contradict the one at `pointer`, or the drop that runs first. */
  readonly related: readonly LintLocation[];
}
