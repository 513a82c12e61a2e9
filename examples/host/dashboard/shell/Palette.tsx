/** The command palette: everything that one can go to or do here, found by typing. */
import { useId, useMemo, useState } from 'preact/hooks';
import { type Command, commands, ROOT } from '../data/index.js';
import { Kbd, Modal, useActiveInView } from '../ui/index.js';
import '../ui/Combobox.css';

export interface PaletteProps {
  readonly onClose: () => void;
  readonly goTo: (path: string) => void;
}

/** An id that was typed or pasted leads to its page. */
function pagesOf(text: string, goTo: (path: string) => void): readonly Command[] {
  const event = /^\s*(evt_[\dA-HJKMNP-TV-Z]{26})\s*$/i.exec(text)?.[1];
  if (event === undefined) return [];
  const id = event.replace(/^evt_/i, '').toUpperCase();
  return [{ text: `Open the event evt_${id}`, group: 'Events', run: () => goTo(`${ROOT}/events/evt_${id}`) }];
}

function found(all: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((command) => {
    const whole = `${command.text} ${command.group ?? ''}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

export function Palette({ onClose, goTo }: PaletteProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const all = useMemo(commands, []);
  const list = [...pagesOf(text, goTo), ...found(all, text)];
  useActiveInView(id, active);

  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    // After the focus is back where it was, so that the command can take it.
    setTimeout(command.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setActive((active + by + list.length) % Math.max(1, list.length));
    else if (event.key === 'Enter') run(list[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal class="hg-dialog hg-palette" label="Commands" onClose={onClose}>
      <input
        class="hg-palette__input"
        role="combobox"
        aria-label="Go to a page, or do something"
        aria-autocomplete="list"
        aria-expanded={list.length > 0}
        aria-controls={id}
        aria-activedescendant={list.length > 0 ? `${id}-${active}` : undefined}
        placeholder="Go to a page, paste an id, do something…"
        autoComplete="off"
        spellcheck={false}
        autoFocus
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <CommandList {...{ id, list, active }} onActive={setActive} onRun={run} />
      {list.length === 0 && <p class="hg-palette__none">Nothing has this name.</p>}
    </Modal>
  );
}

interface CommandListProps {
  readonly id: string;
  readonly list: readonly Command[];
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onRun: (command: Command) => void;
}

const CommandList = ({ id, list, active, onActive, onRun }: CommandListProps) => (
  <ul class="hg-palette__list" id={id} role="listbox" aria-label="Commands">
    {list.map((command, index) => (
      <li
        key={`${command.text} ${index}`}
        id={`${id}-${index}`}
        class="hg-option"
        role="option"
        aria-selected={index === active}
        onMouseMove={() => onActive(index)}
        onClick={() => onRun(command)}
      >
        <span>{command.text}</span>
        <span class="hg-option__note">
          {command.keys === undefined ? command.group : <Kbd keys={command.keys} />}
        </span>
      </li>
    ))}
  </ul>
);
