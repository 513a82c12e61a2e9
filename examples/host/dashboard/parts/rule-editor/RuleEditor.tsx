/** The editor of a rule: the builder and its JSON, and beside them what the rule does with real events. */
import { useRef } from 'preact/hooks';
import { Button, Notice, Section, TextArea, TextField } from '../../ui/index.js';
import { ChangeEffect, type ComparedRule } from './ChangeEffect.js';
import { ActionEditor } from './ActionEditor.js';
import { DryRunPanel } from './DryRunPanel.js';
import { type Faults, faultsOf } from './faults.js';
import { EditorViews } from './EditorViews.js';
import { JsonEditor } from './JsonEditor.js';
import type { ProjectFacts } from './known.js';
import { MatchBuilder } from './MatchBuilder.js';
import {
  changeForm,
  changeText,
  type Editor,
  showBuilder,
  showJson,
  type ViewRefusal,
} from './model/editor.js';
import type { RuleForm } from './model/rule-form.js';
import { RecentTrial } from './RecentTrial.js';
import './RuleEditor.css';
import type { Checked } from './use-checked.js';
import { type Edits, useHistory } from './use-history.js';

export interface RuleEditorProps {
  readonly project: string;
  readonly editor: Editor;
  readonly onChange: (editor: Editor) => void;
  readonly checked: Checked;
  readonly facts: ProjectFacts;
  /** Whether somebody has tried to save: then what is empty is a fault, too. */
  readonly isStrict: boolean;
  /** Events to try the rule on; without them the newest. */
  readonly eventIds?: readonly string[] | undefined;
  /** The saved rule, if this is an edit of one: what the edit changes is shown beside it. */
  readonly saved?: ComparedRule | undefined;
}

export function RuleEditor(props: RuleEditorProps) {
  const { editor, checked, facts } = props;
  const root = useRef<HTMLDivElement>(null);
  const edits = useHistory(editor, root, props.onChange);
  return (
    <div class="hg-rule-editor">
      <div ref={root} class="hg-rule-editor__main">
        <UndoButtons {...edits} />
        <EditorViews
          label="Views of the rule"
          editor={editor}
          onChange={edits.change}
          turned={turned}
          builder={(showJson) => <BuilderView {...props} onChange={edits.change} onShowJson={showJson} />}
          json={() => (
            <JsonEditor
              label="Rule as JSON"
              text={editor.text}
              onChange={(text) => edits.change(changeText(editor, text))}
              faults={checked.faults}
              known={facts}
            />
          )}
        />
      </div>
      <Trials {...props} />
    </div>
  );
}

const turned = (editor: Editor): Editor | ViewRefusal =>
  editor.view === 'builder' ? showJson(editor) : showBuilder(editor);

const UndoButtons = ({ undo, redo }: Pick<Edits, 'undo' | 'redo'>) => (
  <div class="hg-rule-editor__undo">
    <Button size="s" kind="quiet" title="Undo (Ctrl+Z)" disabled={undo === null} onClick={() => undo?.()}>
      Undo
    </Button>
    <Button
      size="s"
      kind="quiet"
      title="Redo (Ctrl+Shift+Z)"
      disabled={redo === null}
      onClick={() => redo?.()}
    >
      Redo
    </Button>
  </div>
);

function Trials({ project, checked, facts, eventIds, saved }: RuleEditorProps) {
  const { match, action } = checked;
  const tried = { project, match, action, endpoints: facts.endpoints };
  return (
    <aside class="hg-rule-editor__side" aria-label="What the rule does">
      {saved !== undefined && (
        <Section title="What this change does">
          <ChangeEffect project={project} saved={saved} rule={checked.rule} />
        </Section>
      )}
      <Section title={eventIds === undefined ? 'On the newest events' : 'On this event'}>
        <RecentTrial {...tried} eventIds={eventIds} />
      </Section>
      <Section title="On past events">
        <DryRunPanel {...tried} />
      </Section>
    </aside>
  );
}

function BuilderView(props: RuleEditorProps & { readonly onShowJson: () => void }) {
  const { project, editor, onChange, checked, facts, isStrict, onShowJson } = props;
  const { form } = editor;
  const faults = faultsOf([...checked.blanks, ...checked.faults], isStrict);
  const change = (members: Partial<RuleForm>): void => onChange(changeForm(editor, members));
  const strays = faults.strays();
  const warnings = checked.faults.filter(({ severity }) => severity === 'warning');
  return (
    <div class="hg-stack hg-stack--wide">
      {strays.length > 0 && <Notice tone="bad">{strays.join(' ')} The JSON shows where.</Notice>}
      <Naming form={form} onChange={change} faults={faults} />
      <Section title="When">
        <MatchBuilder
          project={project}
          match={form.match}
          onChange={(match) => change({ match })}
          paths={facts.paths}
          faults={faults}
          onShowJson={onShowJson}
        />
      </Section>
      <Section title="Then">
        <ActionEditor
          project={project}
          action={form.action}
          onChange={(action) => change({ action })}
          facts={facts}
          faults={faults}
          onShowJson={onShowJson}
        />
      </Section>
      {warnings.length > 0 && (
        <Notice tone="warn">
          <ul aria-label="Probable mistakes">
            {warnings.map(({ message }, index) => (
              <li key={index}>{message}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

interface NamingProps {
  readonly form: RuleForm;
  readonly onChange: (members: Partial<RuleForm>) => void;
  readonly faults: Faults;
}

const Naming = ({ form, onChange, faults }: NamingProps) => (
  <>
    <div class="hg-pair hg-pair--name">
      <TextField
        label="Name"
        value={form.name}
        onInput={(name) => onChange({ name })}
        error={faults.at('/name', form.name === '' && 'Give the rule a name.')}
      />
      <TextField
        label="Priority"
        value={form.priority}
        onInput={(priority) => onChange({ priority })}
        hint="Lower runs first."
        error={faults.at('/priority', form.priority === '' && 'Give a whole number.')}
      />
    </div>
    <TextArea
      label="Description"
      optional
      rows={2}
      value={form.description}
      onInput={(description) => onChange({ description })}
      error={faults.at('/description')}
    />
  </>
);
