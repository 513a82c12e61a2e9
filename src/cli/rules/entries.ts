/** Takes the rules of a file as an import does, and keeps the ids that they have. */
import { importRules, type Rule, validateRule } from '../../index.js';

/** One thing wrong with an entry, or with the file. */
export interface EntryIssue {
  /** Index of the entry, from 0; null for the file as a whole. */
  readonly index: number | null;
  readonly code: string;
  /** RFC 6901, from the entry. */
  readonly pointer: string;
  readonly message: string;
}

/** A valid rule, and its index. */
export interface EntryRule {
  /** Index of the entry, from 0. */
  readonly index: number;
  readonly rule: Rule;
}

/**
 * @param bytes - The file.
 * @param entries - Its entries, parsed.
 * @param limit - Most rules.
 */
export function takeEntries(
  bytes: Uint8Array,
  entries: readonly unknown[],
  limit: number,
): { readonly rules: readonly EntryRule[]; readonly issues: readonly EntryIssue[] } {
  const imported = importRules(bytes, { remaining: limit, newId: ascendingIds() });
  const issues: EntryIssue[] = [...imported.summary.errors];
  // If not all issues are listed, it is not known which entries have become rules.
  if (issues.some(({ code }) => code === 'too_many_issues')) return { rules: [], issues };
  const skipped = new Set(issues.map(({ index }) => index));
  const kept = [...entries.keys()].filter((index) => !skipped.has(index));
  const seen = new Set<string>();
  const rules = imported.rules.flatMap((document, nth) => {
    const index = kept[nth] ?? 0;
    const { rule, problems } = withOwnId(document, entries[index], seen);
    issues.push(...problems.map((problem) => ({ index, ...problem })));
    return problems.length === 0 ? [{ index, rule }] : [];
  });
  return { rules, issues: issues.sort((one, other) => (one.index ?? -1) - (other.index ?? -1)) };
}

/** Ids that ascend by code points. A file of rules has at most five million entries. */
function ascendingIds(): () => string {
  let count = 0;
  return () => `rule-${String(++count).padStart(7, '0')}`;
}

/** A rule with the id of its entry, and enabled as its entry says. */
function withOwnId(
  rule: Rule,
  entry: unknown,
  seen: Set<string>,
): { readonly rule: Rule; readonly problems: readonly Omit<EntryIssue, 'index'>[] } {
  const { id, enabled } = Object(entry) as { readonly id?: unknown; readonly enabled?: unknown };
  if (id === undefined && enabled === undefined) return { rule, problems: [] };
  const result = validateRule({
    ...rule,
    ...(id !== undefined && { id }),
    ...(enabled !== undefined && { enabled }),
  });
  if (!result.ok) return { rule, problems: result.issues };
  const isTaken = id !== undefined && seen.has(result.rule.id);
  seen.add(result.rule.id);
  return { rule: result.rule, problems: isTaken ? [TAKEN] : [] };
}

const TAKEN = {
  code: 'duplicate_id',
  pointer: '/id',
  message: 'another rule of the file has this id',
};
