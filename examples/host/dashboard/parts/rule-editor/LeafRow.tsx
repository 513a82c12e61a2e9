/** A leaf in the builder: its path, its operator and its value. */
import type { ComponentChildren } from 'preact';
import type { Operator } from 'headgate/slim';
import { Field } from '../../ui/index.js';
import type { Faults } from './faults.js';
import { type LeafForm, withOperator } from './model/leaf-form.js';
import {
  fieldAt,
  fieldFor,
  type FoundKind,
  misfit,
  operatorsFor,
  phraseOf,
  takes,
} from './model/operators.js';
import { type FoundPath, kindsAt, sampleFields, textsOf } from './model/paths.js';
import { isBlank } from './model/value-field.js';
import { PathField } from './PathField.js';
import { PatternTrial } from './PatternTrial.js';
import { ValueInput } from './ValueInput.js';

export interface LeafRowProps {
  readonly project: string;
  /** Such as `condition 2.1`. */
  readonly name: string;
  readonly leaf: LeafForm;
  readonly paths: readonly FoundPath[];
  readonly faults: Faults;
  readonly pointer: string;
  readonly onChange: (leaf: LeafForm) => void;
  /** The buttons that move or remove it. */
  readonly children: ComponentChildren;
}

export function LeafRow(props: LeafRowProps) {
  const { project, name, leaf, paths, children } = props;
  const found = paths.find(({ path }) => path === leaf.path);
  const isPattern = leaf.op === 'matches' || leaf.op === 'not_matches';
  const shownPattern = leaf.value.kind === 'text' ? leaf.value.text : '';
  return (
    <div class="hg-leaf" role="group" aria-label={name.replace(/^c/, 'C')}>
      <LeafFields {...props} found={found} />
      {children}
      {isPattern && (
        <div class="hg-leaf__note">
          <PatternTrial project={project} pattern={shownPattern} samples={textsOf(found)} />
        </div>
      )}
      <LeafNote
        leaf={leaf}
        kinds={kindsAt(found)}
        hasPaths={paths.length > 0}
        isFound={found !== undefined}
      />
    </div>
  );
}

type LeafFieldsProps = LeafRowProps & { readonly found: FoundPath | undefined };

function LeafFields({ name, leaf, paths, faults, pointer, onChange, found }: LeafFieldsProps) {
  const kinds = kindsAt(found);
  const choosePath = (path: string): void => {
    const next = kindsAt(paths.find((one) => one.path === path));
    onChange({ ...leaf, path, value: fieldAt(leaf.op, leaf.value, next) });
  };
  return (
    <>
      <div class="hg-leaf__path">
        <PathField
          label={`Path of ${name}`}
          hideLabel
          value={leaf.path}
          paths={paths}
          onChange={choosePath}
          error={faults.at(`${pointer}/path`, leaf.path === '' && 'Choose a path, or write one.')}
        />
      </div>
      <div class="hg-leaf__op">
        <OperatorSelect
          label={`Operator of ${name}`}
          value={leaf.op}
          kinds={kinds}
          onChange={(op) => onChange(withOperator(leaf, op, fieldFor(op, leaf.value, kinds)))}
        />
      </div>
      {takes(leaf.op) !== 'nothing' && (
        <div class="hg-leaf__value">
          <ValueInput
            label={`Value of ${name}`}
            op={leaf.op}
            value={leaf.value}
            kinds={kinds}
            samples={sampleFields(found)}
            onChange={(value) => onChange(withOperator(leaf, leaf.op, value))}
            error={faults.at(`${pointer}/value`, isBlank(leaf.value) && 'Give a value.')}
          />
        </div>
      )}
    </>
  );
}

interface OperatorSelectProps {
  readonly label: string;
  readonly value: Operator;
  readonly kinds: readonly FoundKind[];
  readonly onChange: (op: Operator) => void;
}

/** Operators that fit the values of recent events at the path come first. */
function OperatorSelect({ label, value, kinds, onChange }: OperatorSelectProps) {
  const { fitting, others } = operatorsFor(kinds);
  const option = (op: Operator) => (
    <option key={op} value={op}>
      {phraseOf(op, kinds)}
    </option>
  );
  return (
    <Field label={label} hideLabel>
      {(control) => (
        <select
          {...control}
          class="hg-input"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as Operator)}
        >
          {others.length === 0 ? (
            fitting.map(option)
          ) : (
            <>
              <optgroup label="Fit what recent events have">{fitting.map(option)}</optgroup>
              <optgroup label="Never hold for it">{others.map(option)}</optgroup>
            </>
          )}
        </select>
      )}
    </Field>
  );
}

interface LeafNoteProps {
  readonly leaf: LeafForm;
  readonly kinds: readonly FoundKind[];
  readonly hasPaths: boolean;
  readonly isFound: boolean;
}

/** One sentence about a leaf that may not be what was meant. */
function LeafNote({ leaf, kinds, hasPaths, isFound }: LeafNoteProps) {
  const text =
    leaf.path !== '' && hasPaths && !isFound ? 'No recent event has this path.' : misfit(leaf.op, kinds);
  return text === null ? null : <p class="hg-leaf__note">{text}</p>;
}
