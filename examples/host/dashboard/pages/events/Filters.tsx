/** The bar of conditions above the events: frequent ones are in it, the rest is one click away. */
import { useState } from 'preact/hooks';
import { ConditionChip } from '../../parts/FilterBar.js';
import { isPortal } from '../../data/index.js';
import { isoOf, localOf, SPAN_TEXTS, spanOf } from '../../parts/time-range.js';
import { Button, Combobox, Icon, Menu, Popover, TextArea, TextField } from '../../ui/index.js';
import { EVENT_STATUSES } from '../../words/statuses.js';
import { type Condition, CONDITIONS, type Filter, matchFault } from './filter.js';
import './Filters.css';
import { type Names, textOf, useNames } from './names.js';

export interface FiltersProps {
  readonly filter: Filter;
  /** Changes conditions; an empty text takes one away. */
  readonly onChange: (conditions: Filter) => void;
}

export function Filters({ filter, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const names = useNames(isOpen || ['channel', 'rule', 'endpoint'].some((name) => name in filter));
  return (
    <div class="hg-filter-bar" role="search" aria-label="Events">
      {!isPortal && <StatusMenu filter={filter} onChange={onChange} />}
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
      {(['topic', 'type', 'channel', 'tag', 'rule', 'endpoint', 'match'] as const)
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

function StatusMenu({ filter, onChange }: FiltersProps) {
  const statuses = Object.entries(EVENT_STATUSES).map(([status, { text }]) => ({
    text,
    checked: filter.status === status,
    onSelect: () => onChange({ status }),
  }));
  const all = { text: 'All', checked: filter.status === undefined, onSelect: () => onChange({ status: '' }) };
  const shown = Object.entries(EVENT_STATUSES).find(([status]) => status === filter.status)?.[1].text;
  return (
    <Menu label={`Status: ${shown ?? 'All events'}`} items={[all, ...statuses]}>
      {shown ?? 'All events'}
      <Icon name="down" size={12} />
    </Menu>
  );
}

function TimeMenu({ filter, onChange }: FiltersProps) {
  const choose = (since: string) => () => onChange({ since, from: '', to: '' });
  const spans = Object.entries(SPAN_TEXTS).map(([span, text]) => ({
    text,
    checked: filter.since === span,
    onSelect: choose(span),
  }));
  const found = spanOf(filter);
  const isExact = filter.from !== undefined || filter.to !== undefined;
  const any = { text: 'Any time', checked: filter.since === undefined && !isExact, onSelect: choose('') };
  const shown = isExact ? 'Exact times' : found === null ? 'Any time' : SPAN_TEXTS[found];
  return (
    <Menu label={`Time: ${shown}`} items={[any, ...spans]}>
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

const EXAMPLE = '{ "path": "data.amount", "op": "gt", "value": 100 }';

function Form({ filter, onChange, names, close, onOpen }: FormProps) {
  useState(onOpen);
  const [draft, setDraft] = useState<Filter>(filter);
  const [fault, setFault] = useState<string | null>(null);
  const set = (name: Condition) => (value: string) => setDraft({ ...draft, [name]: value });
  const submit = (event: Event): void => {
    event.preventDefault();
    const found = matchFault(draft.match ?? '');
    setFault(found);
    if (found !== null) return;
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
      {!isPortal && (
        <TextArea
          label="Payload matches"
          hint="A match tree, as rules have it."
          code
          rows={3}
          placeholder={EXAMPLE}
          value={draft.match ?? ''}
          error={fault}
          onInput={set('match')}
        />
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
