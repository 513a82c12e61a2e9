/** A button that opens a small box with anything in it. */
import type { ComponentChildren } from 'preact';
import { Button, type ButtonProps } from './Button.js';
import { useFloating } from './floating.js';
import './Menu.css';

export interface PopoverProps extends Pick<ButtonProps, 'kind' | 'size' | 'icon' | 'title' | 'pressed'> {
  /** The name of the box, and of the button where that has no text. */
  readonly label: string;
  readonly text?: ComponentChildren;
  readonly end?: boolean;
  /** Rendered while it is open. */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Popover({ label, text, end = false, children, ...button }: PopoverProps) {
  const float = useFloating<HTMLDivElement>('input, select, textarea, button, a', end);
  return (
    <>
      <Button
        {...button}
        label={text === undefined ? label : undefined}
        buttonRef={float.button}
        popup="dialog"
        expanded={float.isOpen}
        onClick={float.toggle}
      >
        {text}
      </Button>
      <div ref={float.box} class="hg-float hg-popover" popover="auto" role="dialog" aria-label={label}>
        {float.isOpen && children(float.close)}
      </div>
    </>
  );
}
