/** The builder of a match: one group of leaves, each a path, an operator and a value. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Operator } from 'headgate/slim';
import { Button, Code, Field, IconButton, Notice, Select } from '../../ui/index.js';
import type { Faults } from './faults.js';
import {
  addLeaf,
  changeLeaf,
  type Join,
  type LeafForm,
  type MatchForm,
  newLeaf,
  removeLeaf,
  withOperator,
} from './model/match-form.js';
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
import { pretty } from './model/print.js';
import type { Section } from './model/rule-form.js';
import { isBlank } from './model/value-field.js';
import { PathField } from './PathField.js';
import { PatternTrial } from './PatternTrial.js';
import { ValueInput } from './ValueInput.js';

export interface MatchBuilderProps {
  readonly project: string;
  readonly match: Section<MatchForm>;
  readonly onChange: (match: Section<MatchForm>) => void;
  readonly paths: readonly FoundPath[];
  readonly faults: Faults;
  readonly onShowJson: () => void;
}

const NO_CONDITION =
  'There is no condition yet. A rule needs one, so that none matches every event by mistake.';

export function MatchBuilder({ project, match, onChange, paths, faults, onShowJson }: MatchBuilderProps) {
  const list = useRef<HTMLDivElement>(null);
  const grown = useRef(false);
  useEffect(() => {
    if (!grown.current) return;
    grown.current = false;
    [...(list.current?.querySelectorAll<HTMLInputElement>('.hg-leaf__path input') ?? [])].at(-1)?.focus();
  });
  if (match.kind === 'source') return <TooDeep match={match} onShowJson={onShowJson} />;
  const { form } = match;
  const change = (next: MatchForm): void => onChange({ kind: 'form', form: next });
  const isAlone = form.isBare && form.leaves.length === 1;
  const pointerTo = (index: number): string => (isAlone ? '/match' : `/match/${form.join}/${index}`);
  const add = (): void => {
    grown.current = true;
    change(addLeaf(form, newLeaf(0)));
  };
  return (
    <div ref={list} class="hg-match">
      {form.leaves.length > 1 && (
        <Select<Join>
          label="An event matches where"
          value={form.join}
          options={[
            { value: 'all', text: 'all of these hold' },
            { value: 'any', text: 'at least one of these holds' },
          ]}
          onChange={(join) => change({ ...form, join })}
        />
      )}
      {form.leaves.map((leaf, index) => (
        <LeafRow
          key={leaf.id}
          project={project}
          index={index}
          leaf={leaf}
          paths={paths}
          faults={faults}
          pointer={pointerTo(index)}
          onChange={(next) => change(changeLeaf(form, leaf.id, () => next))}
          onRemove={form.leaves.length > 1 ? () => change(removeLeaf(form, leaf.id)) : undefined}
        />
      ))}
      {form.leaves.length === 0 && <p class="hg-soft">{faults.at(`/match/${form.join}`) ?? NO_CONDITION}</p>}
      <div>
        <Button icon="plus" onClick={add}>
          Add a condition
        </Button>
      </div>
    </div>
  );
}

interface LeafRowProps {
  readonly project: string;
  readonly index: number;
  readonly leaf: LeafForm;
  readonly paths: readonly FoundPath[];
  readonly faults: Faults;
  readonly pointer: string;
  readonly onChange: (leaf: LeafForm) => void;
  /** Left out for the only leaf. */
  readonly onRemove: (() => void) | undefined;
}

function LeafRow({ project, index, leaf, paths, faults, pointer, onChange, onRemove }: LeafRowProps) {
  const found = paths.find(({ path }) => path === leaf.path);
  const kinds = kindsAt(found);
  const name = `condition ${index + 1}`;
  const isPattern = leaf.op === 'matches' || leaf.op === 'not_matches';
  const shownPattern = leaf.value.kind === 'text' ? leaf.value.text : '';
  const choosePath = (path: string): void => {
    const next = kindsAt(paths.find((one) => one.path === path));
    onChange({ ...leaf, path, value: fieldAt(leaf.op, leaf.value, next) });
  };
  return (
    <div class="hg-leaf" role="group" aria-label={`Condition ${index + 1}`}>
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
      {onRemove !== undefined && (
        <div class="hg-leaf__remove">
          <IconButton icon="trash" label={`Remove ${name}`} onClick={onRemove} />
        </div>
      )}
      {isPattern && (
        <div class="hg-leaf__note">
          <PatternTrial project={project} pattern={shownPattern} samples={textsOf(found)} />
        </div>
      )}
      <LeafNote leaf={leaf} kinds={kinds} hasPaths={paths.length > 0} isFound={found !== undefined} />
    </div>
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

/** The deepest part of a text that is laid out: more of it says nothing. */
const MOST_SHOWN = 20_000;

function TooDeep({
  match,
  onShowJson,
}: {
  readonly match: Section<MatchForm> & { readonly kind: 'source' };
  readonly onShowJson: () => void;
}) {
  const text = useMemo(() => pretty(match.text), [match.text]);
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n…` : text;
  return (
    <div class="hg-match">
      <Notice
        tone="warn"
        action={
          <Button size="s" onClick={onShowJson}>
            Edit as JSON
          </Button>
        }
      >
        {match.why}
      </Notice>
      <Code label="The match" text={shown} />
    </div>
  );
}
