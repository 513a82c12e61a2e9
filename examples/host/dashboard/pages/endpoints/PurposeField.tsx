/** The purpose of an endpoint: it gets the events of the project, or its alerts. */
import type { Changing } from '../../parts/change.js';
import { Select } from '../../ui/index.js';
import type { Endpoint } from './endpoint-list.js';

type Purpose = Endpoint['purpose'];

export interface PurposeFieldProps {
  readonly value: Purpose;
  readonly onChange: (value: Purpose) => void;
  readonly change: Changing;
  readonly disabled?: boolean;
}

const PURPOSES = [
  { value: 'events', text: 'Events' },
  { value: 'alerts', text: 'Alerts' },
] as const;

export const PurposeField = ({ value, onChange, change, disabled = false }: PurposeFieldProps) => (
  <Select
    label="Purpose"
    value={value}
    options={PURPOSES}
    onChange={onChange}
    disabled={disabled}
    error={change.at('/purpose')}
    hint="Alerts say when an endpoint fails, dead letters pile up or requests are rejected. Such an endpoint gets no events."
  />
);
