/** Warnings of lint as answers show them: a rule of ten MiB may contradict itself at each of its leaves. */
import type { LintWarning } from 'headgate';
import { shortened } from './shortened.js';

/** Warnings about one rule that are shown, and locations that each relates to. */
export const MOST_WARNINGS = 100;

/** A warning whose locations name their rules by id. */
export const shownWarning = ({ code, pointer, message, related }: LintWarning) => ({
  code,
  pointer: shortened(pointer),
  message: shortened(message),
  related: related.slice(0, MOST_WARNINGS).map((location) => ({
    rule_id: location.rule.id,
    pointer: shortened(location.pointer),
  })),
});
