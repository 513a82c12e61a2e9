/** A bar of conditions above a list, which are in the address: the time, a form for the rest, and what is set. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Address } from '../data/index.js';
import { Button, Icon, IconButton, Menu, Popover, TextField } from '../ui/index.js';
import './FilterBar.css';
import { isoOf, localOf, rangeOf, SPAN_TEXTS, spanOf } from './time-range.js';

type Query = Address['query'];

/** A condition other than the time. */
export interface Condition {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  readonly field: (value: string, onChange: (value: string) => void) => VNode;
  /** The value in words; itself unless given. */
  readonly textOf?: (value: string) => string;
}

export interface FilterBarProps {
  /** The name of the list. */
  readonly label: string;
  /** The first word in the labels of the two times, such as `Failed` in `Failed from`. */
  readonly times: string;
  readonly address: Address;
  readonly conditions: readonly Condition[];
  /** Says what is wrong with the conditions, before they are applied. */
  readonly fault?: (draft: Query) => string | null;
}

export const FilterBar = (props: FilterBarProps) => (
  <div class="hg-filter-bar" role="search" aria-label={props.label}>
    <TimeMenu {...props} />
    <Popover label="More conditions" icon="filter" text="Filter">
      {(close) => <Form {...props} close={close} />}
    </Popover>
    {props.conditions
      .filter(({ name }) => props.address.query[name])
      .map(({ name, label, textOf = (value) => value }) => (
        <ConditionChip
          key={name}
          label={label}
          text={textOf(props.address.query[name] ?? '')}
          onRemove={() => props.address.set({ [name]: '' })}
        />
      ))}
  </div>
);

function TimeMenu({ address: { query, set } }: FilterBarProps) {
  const span = spanOf(query);
  const { from, to } = rangeOf(query, 0);
  const isExact = span === null && (from !== undefined || to !== undefined);
  const choose = (since: string) => () => set({ since, from: '', to: '' });
  const spans = Object.entries(SPAN_TEXTS).map(([since, text]) => ({
    ...{ text, checked: since === span, onSelect: choose(since) },
  }));
  const shown = span !== null ? SPAN_TEXTS[span] : isExact ? 'Exact times' : 'Any time';
  const any = { text: 'Any time', checked: span === null && !isExact, onSelect: choose('') };
  return (
    <Menu label={`Time: ${shown}`} items={[any, ...spans]}>
      {shown}
      <Icon name="down" size={12} />
    </Menu>
  );
}

export interface ConditionChipProps {
  readonly label: string;
  /** The value in words. */
  readonly text: string;
  /** Makes the value a button that changes it. */
  readonly onEdit?: (() => void) | undefined;
  readonly onRemove: () => void;
}

/** A condition that is set, with the way to take it away. */
export const ConditionChip = ({ label, text, onEdit, onRemove }: ConditionChipProps) => (
  <span class="hg-condition">
    <span class="hg-soft">{label}:&nbsp;</span>
    {onEdit === undefined ? (
      <span class="hg-cut" title={text}>
        {text}
      </span>
    ) : (
      <button type="button" class="hg-cut" title={text} onClick={onEdit}>
        {text}
      </button>
    )}
    <IconButton size="s" icon="close" label={`Remove the condition ${label}`} onClick={onRemove} />
  </span>
);

function Form({ address, conditions, times, fault, close }: FilterBarProps & { readonly close: () => void }) {
  const [draft, setDraft] = useState<Query>(address.query);
  const [error, setError] = useState<string | null>(null);
  const set = (name: string) => (value: string) => setDraft({ ...draft, [name]: value });
  const submit = (event: Event): void => {
    event.preventDefault();
    const found = fault?.(draft) ?? null;
    setError(found);
    if (found !== null) return;
    close();
    address.set({ ...draft, ...((draft.from ?? '') + (draft.to ?? '') !== '' && { since: '' }) });
  };
  const instant = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="datetime-local"
      value={localOf(draft[name])}
      onInput={(value) => set(name)(isoOf(value))}
    />
  );
  return (
    <form class="hg-filter-bar__form" onSubmit={submit}>
      {conditions.map(({ name, field }) => (
        <div key={name} class="hg-filter-bar__field">
          {field(draft[name] ?? '', set(name))}
        </div>
      ))}
      {instant('from', `${times} from`)}
      {instant('to', `${times} before`)}
      {error !== null && (
        <p class="hg-field__error" role="alert">
          {error}
        </p>
      )}
      <div class="hg-row">
        <Button type="submit" kind="primary">
          Apply
        </Button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
