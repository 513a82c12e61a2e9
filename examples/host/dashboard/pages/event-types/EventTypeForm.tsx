/** The form of an event type. The service checks the schema and the example; the page shows each fault where it is. */
import { api, ApiError, currentProject, mayManage, useDraft, versionOf } from '../../data/index.js';
import { Card } from '../../parts/Card.js';
import { useChange } from '../../parts/change.js';
import { ChangeProblem } from '../../parts/ChangeProblem.js';
import { JsonEditor } from '../../parts/rule-editor/index.js';
import { Button, Checkbox, Notice, TextField, toast } from '../../ui/index.js';
import { bodyOf, faultsIn, type Form, formOf } from './form.js';
import type { EventType } from './status.js';

export interface EventTypeFormProps {
  readonly type: EventType;
  readonly onChange: (type: EventType) => void;
  readonly onShowTheirs: () => void;
}

export function EventTypeForm({ type, onChange, onShowTheirs }: EventTypeFormProps) {
  const project = currentProject();
  const draft = useDraft(`event type ${project} ${type.name}`, formOf(type));
  const form = draft.value;
  const change = useChange(['/description', '/schema', '/example']);
  const edit = (edits: Partial<Form>): void => {
    change.clear();
    draft.set({ ...form, ...edits });
  };
  const body = bodyOf(form);
  const save = (): Promise<boolean> =>
    change.run(async () => {
      if (body === null) return;
      const ifMatch = versionOf(type) ?? type.version;
      onChange(await api.updateEventType({ project, type: type.name, body, ifMatch }));
      draft.clear();
      toast('Event type saved');
    });
  const showTheirs = (): void => {
    change.clear();
    draft.clear();
    onShowTheirs();
  };
  const issues = change.problem instanceof ApiError ? change.problem.issues : [];
  return (
    <form
      class="hg-event-type__form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Usage form={form} edit={edit} error={change.at('/description')} />
      <Document member="schema" title="Schema" form={form} edit={edit} issues={issues}>
        JSON Schema 2020-12 of <code>data</code>. Leave it empty if there is none.
      </Document>
      <Document member="example" title="Example" form={form} edit={edit} issues={issues}>
        An example of <code>data</code>, which must match the schema.
      </Document>
      {form.schema.trim() === '' && change.at('/schema') !== null && (
        <Notice tone="bad">{change.at('/schema')}</Notice>
      )}
      <ChangeProblem change={change} of="event type" onShowTheirs={showTheirs} />
      {mayManage() && (
        <Buttons
          isBusy={change.isBusy}
          isDirty={draft.isDirty}
          isWhole={body !== null}
          onDiscard={showTheirs}
        />
      )}
    </form>
  );
}

interface ButtonsProps {
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  /** Whether both documents are JSON. */
  readonly isWhole: boolean;
  readonly onDiscard: () => void;
}

const Buttons = ({ isBusy, isDirty, isWhole, onDiscard }: ButtonsProps) => (
  <div class="hg-row">
    <Button type="submit" kind="primary" busy={isBusy} disabled={!isDirty || !isWhole}>
      Save event type
    </Button>
    {isDirty && (
      <Button kind="quiet" onClick={onDiscard}>
        Discard changes
      </Button>
    )}
  </div>
);

interface PartProps {
  readonly form: Form;
  readonly edit: (edits: Partial<Form>) => void;
}

const Usage = ({ form, edit, error }: PartProps & { readonly error: string | null }) => (
  <Card title="Settings">
    <TextField
      label="Description"
      optional
      value={form.description}
      disabled={!mayManage()}
      onInput={(description) => edit({ description })}
      error={error}
    />
    <Checkbox
      label="Strict"
      hint="Refuse events of this type whose data does not match the schema."
      checked={form.strict}
      disabled={!mayManage()}
      onChange={(strict) => edit({ strict })}
    />
    <Checkbox
      label="Deprecated"
      hint="Events of this type can still be published. The pages advise against using it."
      checked={form.deprecated}
      disabled={!mayManage()}
      onChange={(deprecated) => edit({ deprecated })}
    />
  </Card>
);

interface DocumentProps extends PartProps {
  readonly member: 'schema' | 'example';
  readonly title: string;
  readonly issues: ApiError['issues'];
  readonly children: preact.ComponentChildren;
}

const Document = ({ member, title, form, edit, issues, children }: DocumentProps) => (
  <Card title={title}>
    <p class="hg-soft">{children}</p>
    <JsonEditor
      label={title}
      text={form[member]}
      isReadOnly={!mayManage()}
      faults={faultsIn(form[member], `/${member}`, issues)}
      onChange={(text) => edit({ [member]: text })}
    />
  </Card>
);
