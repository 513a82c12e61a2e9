/** What lint says. */
import type { Issue } from '../../errors.js';
import type { Leaf, Rule } from '../rule.js';
import { show } from '../wording.js';

/** What can be odd about a rule that is valid. */
export type LintCode = 'always_tried' | 'behind_drop' | 'dead_branch' | 'drops_everything' | 'never_matches';

/** A place in one of the rules. */
export interface LintPlace {
  readonly rule: Rule;
  /** RFC 6901 pointer from the root of the rule. */
  readonly pointer: string;
}

/** One thing that the author of a rule hardly meant. */
export interface LintWarning extends Issue<LintCode>, LintPlace {
  /** What it is about besides: the leaves that it contradicts, or the drop that runs first. */
  readonly related: readonly LintPlace[];
}

/** A warning of a tree as a whole. */
export const warningOf = (
  code: LintCode,
  rule: Rule,
  message: string,
  related: readonly LintPlace[] = [],
): LintWarning => ({ code, rule, pointer: '/match', message, related });

/** Paths longer than this are cut in messages. */
const SHOWN_PATH = 80;

/** A leaf as part of a sentence. */
export function describeLeaf({ path, op, value }: Leaf): string {
  const where = path.length > SHOWN_PATH ? `${path.slice(0, SHOWN_PATH)}…` : path;
  return op === 'exists' || op === 'missing' ? `${where} ${op}` : `${where} ${op} ${show(value)}`;
}
