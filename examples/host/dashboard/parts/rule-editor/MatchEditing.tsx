/** The editor of conditions alone: the builder of rules and its JSON. */
import { useState } from 'preact/hooks';
import { announce, Notice, Tabs } from '../../ui/index.js';
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
  const [refusal, setRefusal] = useState<ViewRefusal | null>(null);
  const change = (next: MatchEditor): void => {
    setRefusal(null);
    onChange(next);
  };
  const show = (view: MatchEditor['view']): void => {
    if (view === editor.view) return;
    const shown = view === 'json' ? showMatchJson(editor) : showMatchBuilder(editor);
    if ('why' in shown) {
      setRefusal(shown);
      announce(`The builder cannot show this. ${shown.why}`);
    } else change(shown);
  };
  const warnings = checked.faults.filter(({ severity }) => severity === 'warning');
  return (
    <Tabs
      label="Views of the conditions"
      tabs={[
        { id: 'builder', text: 'Builder' },
        { id: 'json', text: 'JSON' },
      ]}
      selected={editor.view}
      onSelect={show}
    >
      {editor.view === 'builder' ? (
        <div class="hg-stack">
          <MatchBuilder
            project={project}
            match={editor.match}
            onChange={(match) => change({ ...editor, match })}
            paths={facts.paths}
            faults={faultsOf([...checked.blanks, ...checked.faults], isStrict)}
            onShowJson={() => show('json')}
          />
          {warnings.map(({ message }) => (
            <Notice key={message} tone="warn">
              {message}
            </Notice>
          ))}
        </div>
      ) : (
        <div class="hg-stack">
          {refusal !== null && <Notice tone="warn">The builder cannot show this. {refusal.why}</Notice>}
          <JsonEditor
            label="Conditions as JSON"
            text={editor.text}
            onChange={(text) => change({ ...editor, text })}
            faults={checked.faults}
          />
        </div>
      )}
    </Tabs>
  );
}
