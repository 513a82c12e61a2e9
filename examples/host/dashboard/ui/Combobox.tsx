/** A field with a list of proposals: the ARIA combobox with list autocomplete. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { classes } from './classes.js';
import './Combobox.css';
import { Field, type FieldProps } from './Field.js';
import { placeBox } from './floating.js';
import './Menu.css';

/** A proposal. */
export interface Option {
  readonly value: string;
  /** Shown instead of the value. */
  readonly text?: string;
  /** Such as an example of the value; at the end of the line. */
  readonly note?: string;
  /** Positions in the text of the letters that were typed; they are marked. */
  readonly letters?: readonly number[];
}

export interface ComboboxProps extends FieldProps {
  /** The value of the chosen option; with `free`, the text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Takes an option that was chosen, where that means something else than typing it. */
  readonly onChoose?: ((value: string) => void) | undefined;
  readonly options: readonly Option[];
  /** Finds options in a way of its own; else those that hold all words of the text are proposed. */
  readonly find?: ((text: string) => readonly Option[]) | undefined;
  /** Any text may be given; the options are proposals only. */
  readonly free?: boolean;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly code?: boolean;
}

const MOST = 100;
const textOf = ({ value, text = value }: Option): string => text;

/** The options that hold all words of a text: those that begin with it first. */
export function proposals(options: readonly Option[], text: string): readonly Option[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = options.filter((option) => {
    const whole = `${textOf(option)} ${option.value}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const begins = (option: Option): boolean => textOf(option).toLowerCase().startsWith(text.toLowerCase());
  return [...found.filter(begins), ...found.filter((option) => !begins(option))].slice(0, MOST);
}

/** A text with some of its letters marked. */
function marked(text: string, letters: readonly number[] = []): ComponentChildren {
  // The text in parts, every second of which is marked; letters that stand together are one part.
  const bounds = letters.flatMap((at, i) => [
    ...(letters[i - 1] === at - 1 ? [] : [at]),
    ...(letters[i + 1] === at + 1 ? [] : [at + 1]),
  ]);
  const parts = [0, ...bounds].map((from, i) => text.slice(from, bounds[i] ?? text.length));
  return parts.map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part));
}

export function Combobox(props: ComboboxProps) {
  const { placeholder, disabled, code = false } = props;
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const choice = useChoice(props);
  const { isShown, active } = choice;
  return (
    <Field {...props}>
      {(control) => (
        <div class="hg-combobox">
          <input
            {...control}
            ref={input}
            class={classes('hg-input', code && 'hg-input--code')}
            role="combobox"
            type="text"
            autoComplete="off"
            spellcheck={false}
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={listId}
            aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
            value={choice.shown}
            placeholder={placeholder}
            disabled={disabled}
            onFocus={(event) => event.currentTarget.select()}
            onClick={choice.open}
            onInput={(event) => choice.type(event.currentTarget.value)}
            onKeyDown={keysOf(choice)}
            onBlur={choice.close}
          />
          <Proposals {...{ listId, input, choice, code }} />
        </div>
      )}
    </Field>
  );
}

/** The text in the field, the proposals for it, and the one of them that is active. */
interface Choice {
  readonly shown: string;
  readonly found: readonly Option[];
  /** Whether there are proposals to show. */
  readonly isShown: boolean;
  /** The index of the active proposal; -1 if none is active. */
  readonly active: number;
  readonly open: () => void;
  readonly close: () => void;
  readonly choose: (option: Option | undefined) => void;
  readonly type: (text: string) => void;
  /** Makes the next proposal active, or with -1 the one before. */
  readonly step: (by: 1 | -1) => void;
}

function useChoice(props: ComboboxProps): Choice {
  const { value, onChange, onChoose = onChange, options, find, free = false } = props;
  /** The text typed since the last choice; null: none. */
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const chosen = options.find((option) => option.value === value);
  const found = isOpen ? (find?.(typed ?? '') ?? proposals(options, typed ?? '')) : [];
  const isShown = isOpen && found.length > 0;
  const close = (): void => {
    setOpen(false);
    setActive(-1);
    setTyped(null);
  };
  return {
    ...{ found, isShown, active, close },
    shown: typed ?? (free || chosen === undefined ? value : textOf(chosen)),
    open: () => setOpen(true),
    choose(option) {
      if (option !== undefined) onChoose(option.value);
      close();
    },
    type(text) {
      setTyped(text);
      setOpen(true);
      setActive(free ? -1 : 0);
      if (free || text === '') onChange(text);
    },
    step(by) {
      setOpen(true);
      const from = isShown ? active : by > 0 ? -1 : 0;
      setActive((from + by + found.length) % Math.max(1, found.length));
    },
  };
}

function keysOf({ found, isShown, active, close, choose, step }: Choice) {
  return (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Enter' && isShown && active >= 0) choose(found[active]);
    else if (event.key === 'Escape' && isShown) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

interface ProposalsProps {
  readonly listId: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly choice: Choice;
  readonly code: boolean;
}

function Proposals({ listId, input, choice, code }: ProposalsProps) {
  const { found, isShown, active, choose } = choice;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const { current } = list;
    if (current === null || input.current === null) return;
    if (isShown) {
      current.showPopover();
      placeBox(current, input.current);
    } else if (current.matches(':popover-open')) {
      current.hidePopover();
    }
  }, [isShown, found.length]);
  useActiveInView(listId, active);
  return (
    <ul
      ref={list}
      id={listId}
      class="hg-float hg-combobox__list"
      popover="manual"
      role="listbox"
      aria-label="Proposals"
    >
      {isShown &&
        found.map((option, index) => (
          <li
            key={option.value}
            id={`${listId}-${index}`}
            class="hg-option"
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(option);
            }}
          >
            <span class={classes('hg-cut', code && 'hg-mono')}>{marked(textOf(option), option.letters)}</span>
            {option.note !== undefined && <span class="hg-option__note">{option.note}</span>}
          </li>
        ))}
    </ul>
  );
}

/** Keeps the active option of a list in view; the ids of the options end with their indices. */
export function useActiveInView(listId: string, active: number): void {
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, listId]);
}
