/** The conditions of the audit log, with the fields that set them. */
import { actorText } from '../../parts/Actor.js';
import type { Condition } from '../../parts/FilterBar.js';
import { Combobox, TextField } from '../../ui/index.js';
import { ACTIONS, actionText } from './changes.js';

const ACTION_OPTIONS = ACTIONS.map((value) => ({ value, text: actionText(value) }));

/** Each key has two actors: itself, and the sessions that were begun with it. */
function actorOptions(names: ReadonlyMap<string, string>) {
  const ids = [...names.keys()].flatMap((id) => [`key:${id}`, `session:${id}`]);
  return [...ids, 'session:link', 'admin', 'service'].map((value) => ({
    ...{ value, text: actorText(value, names) },
  }));
}

export const auditConditions = (names: ReadonlyMap<string, string>): readonly Condition[] => [
  {
    name: 'actor',
    label: 'Who',
    textOf: (actor) => actorText(actor, names),
    field: (value, onChange) => (
      <Combobox label="Who" value={value} onChange={onChange} options={actorOptions(names)} />
    ),
  },
  {
    name: 'action',
    label: 'Change',
    textOf: actionText,
    field: (value, onChange) => (
      <Combobox label="Change" value={value} onChange={onChange} options={ACTION_OPTIONS} />
    ),
  },
  {
    name: 'resource',
    label: 'What',
    field: (value, onChange) => (
      <TextField
        label="What"
        hint="Its kind and its id, such as rule:0190…"
        code
        value={value}
        onInput={(text) => onChange(text.trim())}
        maxLength={200}
      />
    ),
  },
];
