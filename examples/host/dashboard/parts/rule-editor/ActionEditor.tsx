/** The action of a rule: one of four, each with its inputs. */
import { useState } from 'preact/hooks';
import { Button, Checkbox, Code, Notice, TextField } from '../../ui/index.js';
import { ACTIONS } from '../../words/statuses.js';
import { Chips } from './Chips.js';
import type { Faults } from './faults.js';
import type { NamedEndpoint } from '../endpoints.js';
import type { ProjectFacts } from './known.js';
import { ACTION_TYPES, type ActionForm, addTags } from './model/action-form.js';
import type { Section } from './model/rule-form.js';
import { TransformEditor } from './TransformEditor.js';

export interface ActionEditorProps {
  readonly project: string;
  readonly action: Section<ActionForm>;
  readonly onChange: (action: Section<ActionForm>) => void;
  readonly facts: ProjectFacts;
  readonly faults: Faults;
  readonly onShowJson: () => void;
}

export function ActionEditor({ action, onChange, onShowJson, ...props }: ActionEditorProps) {
  if (action.kind === 'source') {
    return (
      <div class="hg-stack">
        <Notice
          tone="warn"
          action={
            <Button size="s" onClick={onShowJson}>
              Edit as JSON
            </Button>
          }
        >
          {action.why}
        </Notice>
        <Code label="The action" text={action.text} />
      </div>
    );
  }
  const { form } = action;
  const change = (next: ActionForm): void => onChange({ kind: 'form', form: next });
  return (
    <div class="hg-stack">
      <fieldset class="hg-choices">
        <legend class="hg-unseen">Action</legend>
        {ACTION_TYPES.map((type) => (
          <label key={type} class="hg-choice">
            <input
              type="radio"
              name="action"
              checked={form.type === type}
              onChange={() => change({ ...form, type })}
            />
            <span class="hg-choice__name">{ACTIONS[type].text}</span>
            <span class="hg-choice__text">{ACTIONS[type].explains}</span>
          </label>
        ))}
      </fieldset>
      <ActionInputs {...props} form={form} onChange={change} />
    </div>
  );
}

interface ActionInputsProps extends Pick<ActionEditorProps, 'project' | 'facts' | 'faults'> {
  readonly form: ActionForm;
  readonly onChange: (form: ActionForm) => void;
}

function ActionInputs({ project, form, onChange, facts, faults }: ActionInputsProps) {
  switch (form.type) {
    case 'transform':
      return (
        <TransformEditor
          project={project}
          form={form}
          onChange={onChange}
          paths={facts.paths}
          faults={faults}
        />
      );
    case 'route_only':
      return (
        <RouteInputs
          ids={form.endpointIds}
          endpoints={facts.endpoints}
          onChange={(endpointIds) => onChange({ ...form, endpointIds })}
          error={faults.at(
            '/action/endpoint_ids',
            form.endpointIds.length === 0 && 'Choose at least one endpoint.',
          )}
        />
      );
    case 'tag':
      return (
        <Chips
          label="Tags"
          items={form.tags}
          options={facts.tags.filter((tag) => !form.tags.includes(tag)).map((tag) => ({ value: tag }))}
          placeholder="urgent"
          hint="Enter or a comma ends a tag."
          onAdd={(typed) => onChange({ ...form, tags: addTags(form.tags, typed) })}
          onRemove={(index) => onChange({ ...form, tags: form.tags.filter((_, at) => at !== index) })}
          error={
            faults.at('/action/tags', form.tags.length === 0 && 'Give at least one tag.') ??
            faults.below('/action/tags')[0] ??
            null
          }
        />
      );
    case 'drop':
      return null;
  }
}

interface RouteInputsProps {
  readonly ids: readonly string[];
  readonly endpoints: readonly NamedEndpoint[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly error: string | null;
}

/** Above this number there is a field that filters. */
const MANY = 8;

/** The endpoints by name; ids that name none stay until they are taken out. */
function RouteInputs({ ids, endpoints, onChange, error }: RouteInputsProps) {
  const [typed, setTyped] = useState('');
  const chosen = new Set(ids.map((id) => id.toLowerCase()));
  const known = new Set(endpoints.map(({ id }) => id));
  const toggle = (id: string, isChosen: boolean): void => {
    const others = ids.filter((one) => one.toLowerCase() !== id);
    onChange(isChosen ? [...ids, id] : others);
  };
  const shown = endpoints.filter(
    ({ name, id }) => chosen.has(id) || name.toLowerCase().includes(typed.toLowerCase()),
  );
  return (
    <fieldset class="hg-routes">
      <legend class="hg-field__label">Only these endpoints get the event</legend>
      {endpoints.length > MANY && (
        <TextField
          label="Find an endpoint"
          hideLabel
          type="search"
          placeholder="Find an endpoint"
          value={typed}
          onInput={setTyped}
        />
      )}
      {shown.map(({ id, name, status }) => (
        <Checkbox
          key={id}
          label={status === 'paused' ? `${name} (paused)` : name}
          checked={chosen.has(id)}
          onChange={(isChosen) => toggle(id, isChosen)}
        />
      ))}
      {ids
        .filter((id) => !known.has(id.toLowerCase()))
        .map((id) => (
          <Checkbox
            key={id}
            label={id}
            hint="No endpoint has this id."
            checked
            onChange={() => toggle(id.toLowerCase(), false)}
          />
        ))}
      {endpoints.length === 0 && ids.length === 0 && (
        <p class="hg-soft">
          There is no endpoint yet. <a href="/dashboard/endpoints">Create one</a> first.
        </p>
      )}
      {error !== null && <p class="hg-field__error">{error}</p>}
    </fieldset>
  );
}
