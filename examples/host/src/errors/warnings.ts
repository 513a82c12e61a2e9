/** Warnings of lint as answers show them: a rule of ten MiB may contradict itself at each of its leaves. */
import type { LintWarning } from 'headgate';
import { shortened } from './shortened.js';

/** Warnings about one rule that are shown, and places that each relates to. */
export const MOST_WARNINGS = 100;

/** A warning with its places by the ids of their rules. */
export const shownWarning = ({ code, pointer, message, related }: LintWarning) => ({
  code,
  pointer: shortened(pointer),
  message: shortened(message),
  related: related.slice(0, MOST_WARNINGS).map(({ rule, pointer: place }) => ({
    rule_id: rule.id,
    pointer: shortened(place),
  })),
});
