/** The topics that an endpoint gets. */
import type { Changing } from '../../parts/change.js';
import { typeOption, useEventTypes } from '../../parts/event-types.js';
import { Combobox, TextArea } from '../../ui/index.js';

export interface TopicsFieldProps {
  /** One topic a line. */
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly change: Changing;
  readonly disabled?: boolean;
}

export const TopicsField = ({ value, onInput, change, disabled = false }: TopicsFieldProps) => (
  <>
    <TextArea
      label="Topics"
      optional
      code
      rows={3}
      value={value}
      onInput={onInput}
      disabled={disabled}
      placeholder={'invoice.*\nuser.created'}
      hint="One per line. Leave it empty to get every event. invoice.* covers invoice.paid and invoice.line.added."
      error={change.at('/topics')}
    />
    {!disabled && <FromCatalog value={value} onInput={onInput} />}
  </>
);

/** Adds an event type that the project lists; nothing if it lists none. */
function FromCatalog({ value, onInput }: Pick<TopicsFieldProps, 'value' | 'onInput'>) {
  const types = useEventTypes();
  if (types.length === 0) return null;
  const lines = value.split('\n').map((line) => line.trim());
  const others = types.filter(({ name }) => !lines.includes(name));
  return (
    <Combobox
      label="Add an event type"
      code
      value=""
      options={others.map(typeOption)}
      placeholder="invoice.paid"
      onChange={() => undefined}
      onChoose={(name) => onInput([...lines.filter((line) => line !== ''), name].join('\n'))}
    />
  );
}
