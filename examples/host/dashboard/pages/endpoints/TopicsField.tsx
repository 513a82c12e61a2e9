/** The topics that an endpoint gets. */
import type { Changing } from '../../parts/change.js';
import { TextArea } from '../../ui/index.js';

export interface TopicsFieldProps {
  /** One topic a line. */
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly change: Changing;
  readonly disabled?: boolean;
}

export const TopicsField = ({ value, onInput, change, disabled = false }: TopicsFieldProps) => (
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
);
