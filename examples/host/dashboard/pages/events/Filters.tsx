/** The bar of conditions above the events: frequent ones are in it, the rest is one click away. */
import { useState } from 'preact/hooks';
import { ConditionChip } from '../../parts/FilterBar.js';
import { isPortal, useCommands } from '../../data/index.js';
import { isoOf, localOf, SPAN_TEXTS, spanOf } from '../../parts/time-range.js';
import { Button, Combobox, Icon, Menu, Popover, TextField } from '../../ui/index.js';
import { OUTCOMES } from '../../words/outcomes.js';
import { type Condition, CONDITIONS, type Filter } from './filter.js';
import './Filters.css';
import { type Names, textOf, useNames } from './names.js';

export interface FiltersProps {
  readonly filter: Filter;
  /** Changes conditions; an empty text takes one away. */
  readonly onChange: (conditions: Filter) => void;
}

/** @param onSearch - Opens the conditions on payloads. */
export function Filters({ filter, onChange, onSearch }: FiltersProps & { readonly onSearch: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const names = useNames(isOpen || ['channel', 'rule', 'endpoint'].some((name) => name in filter));
  return (
    <div class="hg-filter-bar" role="search" aria-label="Events">
      <OutcomeMenu filter={filter} onChange={onChange} />
      <TimeMenu filter={filter} onChange={onChange} />
      <Popover
        label="More conditions"
        icon="filter"
        text={<span onMouseEnter={() => setOpen(true)}>Filter</span>}
      >
        {(close) => (
          <Form
            filter={filter}
            onChange={onChange}
            close={close}
            onOpen={() => setOpen(true)}
            names={names}
          />
        )}
      </Popover>
      <IdField key={filter.id ?? ''} filter={filter} onChange={onChange} />
      {!isPortal && <SearchButton onOpen={onSearch} />}
      {(['status', 'topic', 'type', 'channel', 'tag', 'rule', 'endpoint'] as const)
        .filter((name) => filter[name] !== undefined)
        .map((name) => (
          <ConditionChip
            key={name}
            label={CONDITIONS[name]}
            text={textOf(name, filter, names)}
            onRemove={() => onChange({ [name]: '' })}
          />
        ))}
    </div>
  );
}

function SearchButton({ onOpen }: { readonly onOpen: () => void }) {
  useCommands([{ text: 'Search payloads', keys: '/', group: 'Events', run: onOpen }]);
  return (
    <Button icon="search" onClick={onOpen}>
      Search payloads…
    </Button>
  );
}

/** The portal shows decided events that were not dropped. */
const WORDS = Object.entries(OUTCOMES).filter(
  ([word]) => !isPortal || (word !== 'dropped' && word !== 'not_decided'),
);

const OutcomeMenu = ({ filter, onChange }: FiltersProps) => (
  <ConditionMenu
    label="Outcome"
    all="Any outcome"
    choices={WORDS.map(([word, { text }]) => [word, text])}
    chosen={filter.outcome ?? ''}
    onChoose={(outcome) => onChange({ outcome })}
  />
);

const TimeMenu = ({ filter, onChange }: FiltersProps) => (
  <ConditionMenu
    label="Time"
    all="Any time"
    choices={Object.entries(SPAN_TEXTS)}
    chosen={(filter.from ?? filter.to) === undefined ? (spanOf(filter) ?? '') : null}
    onChoose={(since) => onChange({ since, from: '', to: '' })}
  />
);

interface ConditionMenuProps {
  readonly label: string;
  /** The text of no condition. */
  readonly all: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** Empty for no condition; null for exact times. */
  readonly chosen: string | null;
  readonly onChoose: (value: string) => void;
}

function ConditionMenu({ label, all, choices, chosen, onChoose }: ConditionMenuProps) {
  const items = [['', all] as const, ...choices].map(([value, text]) => ({
    text,
    checked: value === chosen,
    onSelect: () => onChoose(value),
  }));
  const shown = chosen === null ? 'Exact times' : (items.find(({ checked }) => checked)?.text ?? all);
  return (
    <Menu label={`${label}: ${shown}`} items={items}>
      {shown}
      <Icon name="down" size={12} />
    </Menu>
  );
}

/** Found as one types, once it can be an id. */
function IdField({ filter, onChange }: FiltersProps) {
  const [text, setText] = useState(filter.id ?? '');
  const isId = /^(?:evt_[\dA-HJKMNP-TV-Z]{0,26})?$/.test(text.trim());
  const send = (): void => {
    if (isId && text.trim() !== (filter.id ?? '')) onChange({ id: text.trim() });
  };
  return (
    <form
      class="hg-filters__id"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onFocusOut={send}
    >
      <TextField
        label="Event id, or its beginning"
        hideLabel
        type="search"
        code
        placeholder="evt_…"
        value={text}
        onInput={setText}
        error={isId ? null : 'An id begins with evt_.'}
      />
    </form>
  );
}

interface FormProps extends FiltersProps {
  readonly names: Names;
  readonly close: () => void;
  readonly onOpen: () => void;
}

function Form({ filter, onChange, names, close, onOpen }: FormProps) {
  useState(onOpen);
  const [draft, setDraft] = useState<Filter>(filter);
  const set = (name: Condition) => (value: string) => setDraft({ ...draft, [name]: value });
  const submit = (event: Event): void => {
    event.preventDefault();
    close();
    onChange({ ...draft, ...((draft.from ?? '') + (draft.to ?? '') !== '' && { since: '' }) });
  };
  const field = (name: Condition) => ({
    label: CONDITIONS[name],
    value: draft[name] ?? '',
    onChange: set(name),
  });
  return (
    <form class="hg-filter-bar__form" onSubmit={submit}>
      <Combobox {...field('topic')} options={names.topics} free code />
      {!isPortal && <Combobox {...field('channel')} options={names.channels} />}
      <Combobox {...field('tag')} options={names.tags} free />
      {!isPortal && <Combobox {...field('rule')} label="Rule that matched" options={names.rules} />}
      <Combobox {...field('endpoint')} label="Endpoint that it was routed to" options={names.endpoints} />
      <TextField
        label="Received from"
        type="datetime-local"
        value={localOf(draft.from)}
        onInput={(value) => set('from')(isoOf(value))}
      />
      <TextField
        label="Received before"
        type="datetime-local"
        value={localOf(draft.to)}
        onInput={(value) => set('to')(isoOf(value))}
      />
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
