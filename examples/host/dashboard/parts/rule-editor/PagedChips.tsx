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
  const shown = typed === '' ? placesOf(pages, page) : valuesWith(pages, typed, PAGE_SIZE);
  const first = countOf(pages.slice(0, page)) + 1;
  const remove = (place: number): void => {
    const value = shown[place];
    if (value !== undefined) onChange(withoutValue(pages, value.page, value.place));
  };
  const add = (text: string): void => {
    onAdd(text);
    setTyped('');
    // The new values are the last ones.
    setWanted(Infinity);
    announce(`Added at the end, after ${counted(total, 'value')}`);
  };
  const range =
    typed === ''
      ? `Values ${count(first)} to ${count(first + shown.length - 1)} of ${count(total)}`
      : shown.length === PAGE_SIZE
        ? `The first ${PAGE_SIZE} values that contain this text`
        : `${counted(shown.length, 'value')} of ${count(total)}`;
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
          {range}
        </span>
        {typed === '' && (
          <>
            <Button size="s" disabled={page === 0} onClick={() => setWanted(0)}>
              First
            </Button>
            <Button size="s" disabled={page === 0} onClick={() => setWanted(page - 1)}>
              Previous
            </Button>
            <Button size="s" disabled={page >= pages.length - 1} onClick={() => setWanted(page + 1)}>
              Next
            </Button>
            <Button size="s" disabled={page >= pages.length - 1} onClick={() => setWanted(Infinity)}>
              Last
            </Button>
          </>
        )}
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

const placesOf = (pages: readonly ValuePage[], page: number): FoundValue[] =>
  (pages[page] ?? []).map((text, place) => ({ page, place, text }));
