/** A button that opens a menu of commands (ARIA menu button). */
import type { ComponentChildren } from 'preact';
import { Button, type ButtonProps } from './Button.js';
import { classes } from './classes.js';
import { useFloating } from './floating.js';
import { Icon, type IconName } from './Icon.js';
import './Menu.css';

/** A command, or a line between groups of them. */
export type MenuItem =
  | {
      readonly text: string;
      readonly icon?: IconName;
      readonly href?: string;
      readonly onSelect?: () => void;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      readonly checked?: boolean;
    }
  | 'line';

export interface MenuProps extends Pick<
  ButtonProps,
  'kind' | 'size' | 'icon' | 'children' | 'title' | 'tabIndex'
> {
  /** The name of the button and of the menu. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Stands above the commands. */
  readonly head?: ComponentChildren;
  /** The right edges lie on each other. */
  readonly end?: boolean;
}

export function Menu({ label, items, head, end = false, ...button }: MenuProps) {
  const float = useFloating<HTMLDivElement>('[role^=menuitem]', end);
  const entries = (): HTMLElement[] => [
    ...(float.box.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
  ];
  const focusAt = (index: number): void => entries().at(index)?.focus();
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: at <= 0 ? -1 : at - 1,
      Home: 0,
      End: -1,
    };
    const step = steps[event.key];
    if (step !== undefined) focusAt(step);
    else if (event.key === 'Tab') float.close();
    else if (event.key.length === 1 && event.key !== ' ') startingWith(all, at, event.key)?.focus();
    if (step !== undefined) event.preventDefault();
  };
  return (
    <>
      <Button
        {...button}
        label={label}
        buttonRef={float.button}
        popup="menu"
        expanded={float.isOpen}
        onClick={float.toggle}
      />
      <div ref={float.box} id={float.id} class="hg-float hg-menu" popover="auto" onKeyDown={onKeyDown}>
        {float.isOpen && (
          <>
            {head !== undefined && <div class="hg-menu__head">{head}</div>}
            <div role="menu" aria-label={label}>
              {items.map((item, index) => (
                <Entry key={index} item={item} onDone={float.close} />
              ))}
            </div>
          </>
        )}
      </div>
    </>
  );
}

const startingWith = (all: readonly HTMLElement[], at: number, letter: string): HTMLElement | undefined =>
  [...all.slice(at + 1), ...all.slice(0, at + 1)].find((entry) =>
    entry.textContent.trim().toLowerCase().startsWith(letter.toLowerCase()),
  );

function Entry({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }) {
  if (item === 'line') return <div class="hg-menu__line" role="separator" />;
  const { text, icon, href, onSelect, danger = false, disabled = false, checked } = item;
  const select = (): void => {
    if (disabled) return;
    onDone();
    onSelect?.();
  };
  const shared = {
    class: classes('hg-menu__item', danger && 'hg-menu__item--danger'),
    tabIndex: -1,
    'aria-disabled': disabled ? ('true' as const) : undefined,
    onClick: select,
  };
  const shown = checked === undefined ? icon : checked ? 'check' : undefined;
  const content = (
    <>
      {shown === undefined ? checked !== undefined && <span class="hg-menu__gap" /> : <Icon name={shown} />}
      {text}
    </>
  );
  if (href !== undefined) {
    return (
      <a {...shared} role="menuitem" href={href}>
        {content}
      </a>
    );
  }
  return checked === undefined ? (
    <button {...shared} type="button" role="menuitem">
      {content}
    </button>
  ) : (
    <button {...shared} type="button" role="menuitemradio" aria-checked={checked}>
      {content}
    </button>
  );
}
