/** Buttons, and links that look like them. */
import type { ComponentChildren, Ref } from 'preact';
import './Button.css';
import { classes } from './classes.js';
import { Icon, type IconName } from './Icon.js';

interface Look {
  /** `primary` at most once on a page; `danger` for what cannot be undone. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 's' | 'm';
}

export interface ButtonProps extends Look {
  readonly children?: ComponentChildren;
  readonly icon?: IconName | undefined;
  /** Makes it a real link, which opens in a new tab as links do. */
  readonly href?: string | undefined;
  /** Saves the answer of the link as a file. */
  readonly download?: string | boolean;
  readonly onClick?: ((event: MouseEvent) => void) | undefined;
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean | undefined;
  /** It works; a second click does nothing. */
  readonly busy?: boolean | undefined;
  /** The name for screen readers, where the text alone says too little. */
  readonly label?: string | undefined;
  readonly title?: string | undefined;
  readonly expanded?: boolean | undefined;
  readonly pressed?: boolean | undefined;
  readonly popup?: 'menu' | 'dialog' | 'listbox' | undefined;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly tabIndex?: number | undefined;
}

const lookOf = ({ kind = 'plain', size = 'm' }: Look, isIcon: boolean): string =>
  classes('hg-button', `hg-button--${kind}`, size === 's' && 'hg-button--s', isIcon && 'hg-button--icon');

export function Button(props: ButtonProps) {
  const { children, icon, href, onClick, type = 'button', disabled = false, busy = false } = props;
  const isIcon = children === undefined;
  const content = (
    <>
      {icon !== undefined && !busy && <Icon name={icon} />}
      {children}
    </>
  );
  const shared = {
    class: lookOf(props, isIcon),
    'aria-label': props.label,
    title: props.title ?? (isIcon ? props.label : undefined),
    tabIndex: props.tabIndex,
  };
  if (href !== undefined && !disabled) {
    return (
      <a {...shared} href={href} download={props.download} onClick={onClick}>
        {content}
      </a>
    );
  }
  return (
    <button
      {...shared}
      ref={props.buttonRef ?? null}
      type={type}
      disabled={disabled}
      aria-disabled={busy ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      aria-expanded={props.expanded}
      aria-pressed={props.pressed}
      aria-haspopup={props.popup}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {content}
    </button>
  );
}

/** A button without a text: its name is for screen readers, and is its title. */
export const IconButton = (
  props: Omit<ButtonProps, 'children' | 'label' | 'icon'> & {
    readonly label: string;
    readonly icon: IconName;
  },
) => <Button kind="quiet" {...props} />;
