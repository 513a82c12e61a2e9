/** A list of short texts: each a chip that can be removed, and a field that adds one. */
import { useRef, useState } from 'preact/hooks';
import { Combobox, Icon, type Option } from '../../ui/index.js';
import './Chips.css';

export interface ChipsProps {
  readonly label: string;
  readonly items: readonly string[];
  /** Takes what was typed, such as `a, b`. */
  readonly onAdd: (typed: string) => void;
  readonly onRemove: (index: number) => void;
  /** Proposals. */
  readonly options?: readonly Option[];
  readonly hint?: string;
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly code?: boolean;
}

export function Chips({ label, items, onAdd, onRemove, options = [], ...props }: ChipsProps) {
  const [typed, setTyped] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const add = (text: string): void => {
    if (text.trim() === '') return;
    onAdd(text);
    setTyped('');
  };
  const remove = (index: number): void => {
    onRemove(index);
    // The focus stays in the list, or goes to the field once that is empty.
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll('button') ?? [];
      const field = list.current?.parentElement?.querySelector('input');
      (buttons[Math.min(index, buttons.length - 1)] ?? field)?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement)) return;
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add(target.value);
    } else if (event.key === 'Backspace' && target.value === '' && items.length > 0) {
      remove(items.length - 1);
    }
  };
  return (
    <div
      class="hg-chips"
      data-own-undo={typed === '' ? undefined : ''}
      onKeyDown={onKeyDown}
      onFocusOut={({ target }) => target instanceof HTMLInputElement && add(target.value)}
    >
      <ul ref={list} class="hg-chips__list" aria-label={label}>
        {items.map((item, index) => (
          <li key={`${index} ${item}`} class="hg-chip">
            <span class="hg-cut" title={item}>
              {item === '' ? '(empty)' : item}
            </span>
            <button type="button" aria-label={`Remove ${item}`} onClick={() => remove(index)}>
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
      <Combobox
        {...props}
        label={label}
        free
        value={typed}
        options={options}
        onChange={setTyped}
        onChoose={add}
      />
    </div>
  );
}
