/** The rule editor: what pages take of it. */
export { ConflictDialog } from './ConflictDialog.js';
export { type ProjectFacts, useProjectFacts } from './known.js';
export { type Editor, editForm, editText, printed } from './model/editor.js';
export { faultAt, type TextFault } from './model/faults.js';
export type { Written } from './model/merge.js';
export { changeRule, NEW_RULE, textOfRule } from './model/rule-form.js';
export { type Checked, RuleEditor, useChecked } from './RuleEditor.js';
