/** A long list of values: a page of them as chips, and a field that finds values in all pages. */
import { useState } from 'preact/hooks';
import { announce, Button, TextField } from '../../ui/index.js';
import { count, counted } from '../../words/numbers.js';
import { Chips, type ChipsProps } from './Chips.js';
import {
  countOf,
  type FoundValue,
  PAGE_SIZE,
  type ValuePage,
  valuesWith,
  withoutValue,
} from './model/value-pages.js';
import { fieldOfText, shownField } from './model/value-field.js';

export interface PagedChipsProps extends Omit<ChipsProps, 'items' | 'onRemove'> {
  readonly pages: readonly ValuePage[];
  readonly onChange: (pages: readonly ValuePage[]) => void;
}

export function PagedChips({ pages, onChange, onAdd, ...props }: PagedChipsProps) {
  const [wanted, setWanted] = useState(0);
  const [typed, setTyped] = useState('');
  const page = Math.max(0, Math.min(wanted, pages.length - 1));
  const total = countOf(pages);
  const shown = typed === '' ? valuesOn(pages, page) : valuesWith(pages, typed, PAGE_SIZE);
  const remove = (index: number): void => {
    const value = shown[index];
    if (value !== undefined) onChange(withoutValue(pages, value.page, value.index));
  };
  const add = (text: string): void => {
    onAdd(text);
    setTyped('');
    // The new values are the last ones.
    setWanted(Infinity);
    announce(`Added at the end, after ${counted(total, 'value')}`);
  };
  return (
    <div class="hg-chips">
      <TextField
        label={`Find in ${props.label.toLowerCase()}`}
        hideLabel
        type="search"
        placeholder="Find a value"
        value={typed}
        onInput={setTyped}
      />
      <div class="hg-row">
        <span class="hg-small hg-soft" role="status">
          {typed === '' ? rangeOf(pages, page) : foundText(shown.length, total)}
        </span>
        {typed === '' && <PageButtons page={page} last={pages.length - 1} onGo={setWanted} />}
      </div>
      <Chips
        {...props}
        items={shown.map(({ text }) => shownField(fieldOfText(text)))}
        onAdd={add}
        onRemove={remove}
      />
    </div>
  );
}

function rangeOf(pages: readonly ValuePage[], page: number): string {
  const before = countOf(pages.slice(0, page));
  const last = before + (pages[page]?.length ?? 0);
  return `Values ${count(before + 1)} to ${count(last)} of ${count(countOf(pages))}`;
}

const foundText = (found: number, total: number): string =>
  found === PAGE_SIZE
    ? `The first ${PAGE_SIZE} values that contain this text`
    : `${counted(found, 'value')} of ${count(total)}`;

interface PageButtonsProps {
  readonly page: number;
  readonly last: number;
  readonly onGo: (page: number) => void;
}

const PageButtons = ({ page, last, onGo }: PageButtonsProps) =>
  [
    { text: 'First', to: 0, disabled: page === 0 },
    { text: 'Previous', to: page - 1, disabled: page === 0 },
    { text: 'Next', to: page + 1, disabled: page >= last },
    { text: 'Last', to: Infinity, disabled: page >= last },
  ].map(({ text, to, disabled }) => (
    <Button key={text} size="s" disabled={disabled} onClick={() => onGo(to)}>
      {text}
    </Button>
  ));

const valuesOn = (pages: readonly ValuePage[], page: number): FoundValue[] =>
  (pages[page] ?? []).map((text, index) => ({ page, index, text }));
