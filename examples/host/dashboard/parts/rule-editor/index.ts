/** The rule editor: what pages take of it. */
export { ConflictDialog } from './ConflictDialog.js';
export { JsonEditor } from './JsonEditor.js';
export { MatchEditing } from './MatchEditing.js';
export { useProjectFacts } from './known.js';
export { type Editor, editForm, editRule, printed, showJson } from './model/editor.js';
export { faultAt, readJson, type TextFault } from './model/faults.js';
export { checkedMatch, editMatch } from './model/match-editor.js';
export type { Written } from './model/merge.js';
export { changeRule, NEW_RULE, sectionOfMatch } from './model/rule-form.js';
export { readSource } from './model/source.js';
export { RuleEditor } from './RuleEditor.js';
export { type Checked, useChecked } from './use-checked.js';
