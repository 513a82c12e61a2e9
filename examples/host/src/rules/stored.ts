/** Rules between their rows and the library. */
import { type Rule, type RuleDocument, stringifyJson } from 'headgate';
import type { RuleRow } from './statements.js';

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

/** The rule as the audit log keeps it. */
export const auditedRule = (row: Contents & Pick<RuleRow, 'enabled'>): object => ({
  ...documentOf(row),
  enabled: row.enabled === 1,
});
