/** The ops of a transform, in their order. */
import { Button, Checkbox, IconButton, Select, TextField } from '../../ui/index.js';
import { SortableList } from '../SortableList.js';
import type { Faults } from './faults.js';
import { moved } from './model/form.js';
import {
  type ActionForm,
  addOp,
  changeOp,
  newOp,
  OP_NAMES,
  type OpForm,
  type OpName,
  removeOp,
} from './model/action-form.js';
import { fieldKindFor } from './model/operators.js';
import { type FoundPath, kindsAt, sampleFields, textsOf } from './model/paths.js';
import { isBlank, retyped } from './model/value-field.js';
import { PathField } from './PathField.js';
import { PatternTrial } from './PatternTrial.js';
import { ScalarInput } from './ValueInput.js';

export interface TransformEditorProps {
  readonly project: string;
  readonly form: ActionForm;
  readonly onChange: (form: ActionForm) => void;
  readonly paths: readonly FoundPath[];
  readonly faults: Faults;
}

const OP_TEXTS: Readonly<Record<OpName, string>> = {
  set: 'Set to',
  redact: 'Redact',
  uppercase: 'Uppercase',
  lowercase: 'Lowercase',
  trim: 'Trim',
};

export function TransformEditor({ project, form, onChange, paths, faults }: TransformEditorProps) {
  // A transform changes `data` alone.
  const inData = paths.filter(({ path }) => path.startsWith('data.'));
  const none = faults.at('/action/ops', form.ops.length === 0 && 'Add at least one operation.');
  return (
    <div class="hg-stack">
      <SortableList
        label="Operations, in the order in which they are applied"
        items={form.ops}
        itemKey={({ id }) => String(id)}
        itemName={({ op, path }) => `${OP_TEXTS[op]} ${path}`.trim()}
        onMove={(from, to) => onChange({ ...form, ops: moved(form.ops, from, to) })}
      >
        {(op, index) => (
          <OpRow
            project={project}
            op={op}
            index={index}
            paths={inData}
            faults={faults}
            onChange={(change) => onChange(changeOp(form, op.id, change))}
            onRemove={() => onChange(removeOp(form, op.id))}
          />
        )}
      </SortableList>
      {none !== null && <p class="hg-field__error">{none}</p>}
      <div class="hg-row">
        {OP_NAMES.map((name) => (
          <Button key={name} size="s" icon="plus" onClick={() => onChange(addOp(form, newOp(name)))}>
            {OP_TEXTS[name]}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface OpRowProps {
  readonly project: string;
  readonly op: OpForm;
  readonly index: number;
  readonly paths: readonly FoundPath[];
  readonly faults: Faults;
  readonly onChange: (change: Partial<OpForm>) => void;
  readonly onRemove: () => void;
}

function OpRow({ project, op, index, paths, faults, onChange, onRemove }: OpRowProps) {
  const pointer = `/action/ops/${index}`;
  const name = `operation ${index + 1}`;
  const found = paths.find(({ path }) => path === op.path);
  const choosePath = (path: string): void => {
    const kinds = kindsAt(paths.find((one) => one.path === path));
    const value = isBlank(op.value) && kinds.length > 0 ? retyped(op.value, fieldKindFor(kinds)) : op.value;
    onChange({ path, value });
  };
  return (
    <div class="hg-op" role="group" aria-label={`Operation ${index + 1}`}>
      <Select<OpName>
        label={`Kind of ${name}`}
        hideLabel
        value={op.op}
        options={OP_NAMES.map((one) => ({ value: one, text: OP_TEXTS[one] }))}
        onChange={(next) => onChange({ op: next })}
      />
      <PathField
        label={`Path of ${name}`}
        hideLabel
        value={op.path}
        paths={paths}
        onChange={choosePath}
        error={faults.at(`${pointer}/path`, op.path === '' && 'Choose a path, or write one.')}
      />
      <IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />
      {op.op === 'set' && (
        <div class="hg-op__wide">
          <ScalarInput
            label={`New value of ${name}`}
            kinds={['text', 'number', 'boolean', 'null', 'json']}
            value={op.value}
            samples={sampleFields(found)}
            onChange={(value) => onChange({ value })}
            error={faults.at(`${pointer}/value`, isBlank(op.value) && 'Give a value.')}
          />
        </div>
      )}
      {op.op === 'redact' && (
        <RedactInputs
          project={project}
          op={op}
          pointer={pointer}
          found={found}
          faults={faults}
          onChange={onChange}
        />
      )}
    </div>
  );
}

interface RedactInputsProps extends Pick<OpRowProps, 'project' | 'op' | 'faults' | 'onChange'> {
  readonly pointer: string;
  readonly found: FoundPath | undefined;
}

function RedactInputs({ project, op, pointer, found, faults, onChange }: RedactInputsProps) {
  return (
    <div class="hg-op__wide hg-stack">
      <div class="hg-pair">
        <TextField
          label="Pattern"
          code
          value={op.regex}
          onInput={(regex) => onChange({ regex })}
          hint="RE2, at most 200 characters. Every match is replaced."
          error={faults.at(`${pointer}/regex`, op.regex === '' && 'Give a pattern.')}
        />
        <TextField
          label="Replace by"
          code
          value={op.replace}
          onInput={(replace) => onChange({ replace })}
          hint="$1 or $<name> puts a group back."
          error={faults.at(`${pointer}/replace`)}
        />
      </div>
      <Checkbox
        label="In every text at or below the path"
        hint="Members of objects and elements of lists, to any depth."
        checked={op.deep}
        onChange={(deep) => onChange({ deep })}
      />
      <PatternTrial project={project} pattern={op.regex} replace={op.replace} samples={textsOf(found)} />
    </div>
  );
}
