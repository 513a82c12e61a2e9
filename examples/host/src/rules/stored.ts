/** Rules between their rows, the library and the API. */
import { type Rule, type RuleDocument, stringifyJson } from 'headgate';
import { iso, isoOrNull } from '../api/shapes.js';
import type { ShownRule } from './routes.js';
import type { CountedRow, RuleRow } from './statements.js';

/** The columns of a rule that an edit writes. */
export type RuleColumns = Pick<RuleRow, 'document' | 'bytes' | 'priority' | 'enabled'>;

/** The columns of a rule. Its priority has one of its own, so that a new order writes no documents. */
export function columnsOf(
  { name, description, stage, match, action, priority }: RuleDocument,
  enabled: boolean,
): RuleColumns {
  const text = stringifyJson({ name, description, stage, match, action });
  return { document: text, bytes: Buffer.byteLength(text), priority, enabled: enabled ? 1 : 0 };
}

/** The columns that hold what a rule is. */
type Contents = Pick<RuleRow, 'document' | 'priority'>;

/** The document of a rule, as it is exported. */
export const documentOf = ({ document, priority }: Contents): RuleDocument => ({
  ...(JSON.parse(document) as Omit<RuleDocument, 'priority'>),
  priority,
});

/** The rule as the library takes it. */
export const ruleOf = ({ id, enabled, ...row }: Contents & Pick<RuleRow, 'id' | 'enabled'>): Rule => ({
  id,
  ...documentOf(row),
  enabled: enabled === 1,
});

/** The rule as the API shows it. */
export function shownRule(row: CountedRow): ShownRule {
  return {
    id: row.id,
    ...documentOf(row),
    enabled: row.enabled === 1,
    version: row.version,
    counts: {
      matched: row.matched ?? 0,
      last_24h: row.last_24h ?? 0,
      last_matched_at: isoOrNull(row.last_matched_at),
    },
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** The rule as the audit log keeps it. */
export const auditedRule = (row: Contents & Pick<RuleRow, 'enabled'>): object => ({
  ...documentOf(row),
  enabled: row.enabled === 1,
});
