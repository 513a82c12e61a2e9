/** The editor of conditions alone: the builder of rules and its JSON. */
import { Notice } from '../../ui/index.js';
import { EditorViews } from './EditorViews.js';
import { faultsOf } from './faults.js';
import { JsonEditor } from './JsonEditor.js';
import { useProjectFacts } from './known.js';
import { MatchBuilder } from './MatchBuilder.js';
import type { ViewRefusal } from './model/editor.js';
import {
  type CheckedMatch,
  type MatchEditor,
  showMatchBuilder,
  showMatchJson,
} from './model/match-editor.js';
import './RuleEditor.css';

export interface MatchEditingProps {
  readonly project: string;
  readonly editor: MatchEditor;
  readonly onChange: (editor: MatchEditor) => void;
  readonly checked: CheckedMatch;
  /** Whether somebody has tried to use it: then what is empty is a fault, too. */
  readonly isStrict: boolean;
}

export function MatchEditing({ project, editor, onChange, checked, isStrict }: MatchEditingProps) {
  const facts = useProjectFacts(project);
  const warnings = checked.faults.filter(({ severity }) => severity === 'warning');
  return (
    <EditorViews
      label="Views of the conditions"
      editor={editor}
      onChange={onChange}
      turned={turned}
      builder={(showJson) => (
        <>
          <MatchBuilder
            project={project}
            match={editor.match}
            onChange={(match) => onChange({ ...editor, match })}
            paths={facts.paths}
            faults={faultsOf([...checked.blanks, ...checked.faults], isStrict)}
            onShowJson={showJson}
          />
          {warnings.map(({ message }) => (
            <Notice key={message} tone="warn">
              {message}
            </Notice>
          ))}
        </>
      )}
      json={() => (
        <JsonEditor
          label="Conditions as JSON"
          text={editor.text}
          onChange={(text) => onChange({ ...editor, text })}
          faults={checked.faults}
        />
      )}
    />
  );
}

const turned = (editor: MatchEditor): MatchEditor | ViewRefusal =>
  editor.view === 'builder' ? showMatchJson(editor) : showMatchBuilder(editor);
