/** The conditions of the bar, with the fields that set them. */
import { api, currentProject, useResource, isPortal } from '../../data/index.js';
import type { EndpointOptions } from '../../parts/endpoints.js';
import type { Condition } from '../../parts/FilterBar.js';
import { Combobox, type Option, Select, TextField } from '../../ui/index.js';
import { CAUSES, causeOf } from '../../words/causes.js';
import { HOLDING } from './filter.js';

const FAILURES = [
  { value: '', text: 'Any' },
  ...Object.entries(CAUSES).map(([value, { text }]) => ({ value, text })),
];

const ORDERS = [
  { value: '', text: 'Any' },
  { value: 'holding', text: 'Holding back later deliveries' },
];

/** The types or tags that events have; none in the portal. */
function useValues(of: 'type' | 'tag'): readonly Option[] {
  const project = currentProject();
  const values = useResource(`values ${of} ${project}`, (signal) =>
    isPortal ? Promise.resolve(null) : api.listEventValues({ project, query: { of, limit: 200 }, signal }),
  );
  return (values.value?.items ?? []).map((value) => ({ value }));
}

export function useConditions(endpoints: EndpointOptions): readonly Condition[] {
  const [types, tags] = [useValues('type'), useValues('tag')];
  return [
    {
      name: 'endpoint',
      label: 'Endpoint',
      textOf: (id) => endpoints.nameOf(id) ?? id,
      field: (value, onChange) => (
        <Combobox label="Endpoint" value={value} onChange={onChange} options={endpoints.options} />
      ),
    },
    {
      name: 'type',
      label: 'Event type',
      field: (value, onChange) => (
        <Combobox label="Event type" value={value} onChange={onChange} options={types} free code />
      ),
    },
    {
      name: 'tag',
      label: 'Tag',
      field: (value, onChange) => (
        <Combobox label="Tag" value={value} onChange={onChange} options={tags} free />
      ),
    },
    {
      name: 'failure',
      label: 'Failure',
      textOf: (code) => causeOf(code).text,
      field: (value, onChange) => (
        <Select label="Failure" value={value} onChange={onChange} options={FAILURES} />
      ),
    },
    statusCondition('status_from', 'HTTP status from', '500'),
    statusCondition('status_to', 'HTTP status to', '599'),
    {
      name: 'order',
      label: 'Order',
      textOf: () => HOLDING,
      field: (value, onChange) => <Select label="Order" value={value} onChange={onChange} options={ORDERS} />,
    },
  ];
}

const statusCondition = (name: string, label: string, placeholder: string): Condition => ({
  name,
  label,
  field: (value, onChange) => (
    <TextField
      label={label}
      value={value}
      onInput={(text) => onChange(text.trim())}
      placeholder={placeholder}
      maxLength={3}
    />
  ),
});
