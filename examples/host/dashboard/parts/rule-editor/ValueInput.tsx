/** The field of a value: of the kind that recent events have there, or of another one that is chosen. */
import type { Operator } from 'headgate/slim';
import { Combobox, type Option, Select, TextField } from '../../ui/index.js';
import { Chips } from './Chips.js';
import { PagedChips } from './PagedChips.js';
import { fieldKindFor, fieldKinds, type FoundKind, takes } from './model/operators.js';
import {
  blankOf,
  isList,
  retyped,
  type ScalarField,
  type ScalarKind,
  shownField,
  typedItem,
  type ValueField,
  withItems,
} from './model/value-field.js';

export interface ValueInputProps {
  readonly label: string;
  readonly op: Operator;
  readonly value: ValueField;
  readonly onChange: (value: ValueField) => void;
  /** The kinds of values at the path, and some of them. */
  readonly kinds: readonly FoundKind[];
  readonly samples: readonly ScalarField[];
  readonly error?: string | null;
}

const KIND_NAMES: Readonly<Record<ScalarKind, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  json: 'JSON',
};

export function ValueInput(props: ValueInputProps) {
  const { label, op, value, onChange, kinds, samples, error = null } = props;
  if (takes(op) === 'nothing') return null;
  if (isList(value)) {
    const kind = fieldKindFor(kinds);
    const add = (typed: string): void =>
      onChange(
        withItems(
          value,
          typed.split(',').map((item) => typedItem(item.trim(), kind)),
        ),
      );
    const shared = {
      ...{ label, error, onAdd: add, options: samples.map(optionOf), code: true },
      placeholder: 'Type a value, then Enter',
    };
    if (value.kind === 'pages') {
      return (
        <PagedChips
          {...shared}
          pages={value.pages}
          onChange={(pages) => onChange({ kind: 'pages', pages })}
        />
      );
    }
    return (
      <Chips
        {...shared}
        items={value.items.map(shownField)}
        onRemove={(index) => onChange({ kind: 'list', items: value.items.filter((_, at) => at !== index) })}
      />
    );
  }
  return (
    <ScalarInput
      label={label}
      kinds={fieldKinds(op)}
      value={value}
      onChange={onChange}
      samples={samples}
      error={error}
    />
  );
}

const optionOf = (field: ScalarField): Option => ({ value: shownField(field), note: 'known value' });

export interface ScalarInputProps {
  readonly label: string;
  /** The kinds to choose from. */
  readonly kinds: readonly ScalarKind[];
  readonly value: ScalarField;
  readonly onChange: (value: ScalarField) => void;
  readonly samples: readonly ScalarField[];
  readonly error?: string | null;
}

/** One value, with its kind beside it. */
export function ScalarInput({ label, kinds, value, onChange, samples, error = null }: ScalarInputProps) {
  const choose = (kind: ScalarKind): void => {
    const next = retyped(value, kind);
    // Nothing of what was written can be read as that kind, so it starts again.
    onChange(next.kind === kind ? next : blankOf(kind));
  };
  const offered = kinds.includes(value.kind) ? kinds : [...kinds, value.kind];
  return (
    <div class="hg-value">
      <ScalarControl label={label} value={value} onChange={onChange} samples={samples} error={error} />
      <Select
        label={`Kind of ${label.toLowerCase()}`}
        hideLabel
        value={value.kind}
        options={offered.map((kind) => ({ value: kind, text: KIND_NAMES[kind] }))}
        onChange={choose}
      />
    </div>
  );
}

function ScalarControl({ label, value, onChange, samples, error = null }: Omit<ScalarInputProps, 'kinds'>) {
  switch (value.kind) {
    case 'boolean':
      return (
        <Select
          label={label}
          hideLabel
          value={String(value.value)}
          options={[
            { value: 'true', text: 'true' },
            { value: 'false', text: 'false' },
          ]}
          onChange={(chosen) => onChange({ kind: 'boolean', value: chosen === 'true' })}
          error={error}
        />
      );
    case 'null':
      return <TextField label={label} hideLabel code disabled value="null" onInput={() => undefined} />;
    default: {
      const { kind, text } = value;
      const alike = samples.filter((sample) => sample.kind === kind);
      return (
        <Combobox
          label={label}
          hideLabel
          free
          code
          value={text}
          options={alike.map(optionOf)}
          onChange={(typed) => onChange({ kind, text: typed })}
          error={error}
        />
      );
    }
  }
}
