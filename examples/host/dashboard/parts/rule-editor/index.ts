/** The rule editor: what pages take of it. */
export { ConflictDialog } from './ConflictDialog.js';
export { useProjectFacts } from './known.js';
export { type Editor, editForm, editText, printed } from './model/editor.js';
export type { Written } from './model/merge.js';
export { changeRule, NEW_RULE, textOfRule } from './model/rule-form.js';
export { RuleEditor, useChecked } from './RuleEditor.js';
