/** A modal dialog: the native element, which keeps the focus inside and gives it back. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { IconButton } from './Button.js';
import { classes } from './classes.js';
import './Dialog.css';

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The buttons; the one that does it last. */
  readonly foot?: ComponentChildren;
  readonly size?: 'm' | 'wide';
  /** Escape, the cross, or a click beside it. Left out: it closes only by what is in it. */
  readonly onClose?: (() => void) | undefined;
  /** The dialog is a form, which this sends. */
  readonly onSubmit?: () => void;
}

/** Render it to open it, and leave it out to close it. */
export function Dialog({ title, children, foot, size = 'm', onClose, onSubmit }: DialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const content = (
    <>
      <div class="hg-dialog__head">
        <h2 class="hg-dialog__title" id={id}>
          {title}
        </h2>
        {onClose !== undefined && <IconButton label="Close" icon="close" onClick={onClose} />}
      </div>
      <div class="hg-dialog__body">{children}</div>
      {foot !== undefined && <div class="hg-dialog__foot">{foot}</div>}
    </>
  );
  return (
    <dialog
      ref={ref}
      class={classes('hg-dialog', size === 'wide' && 'hg-dialog--wide')}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose?.();
      }}
    >
      {onSubmit === undefined ? (
        content
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {content}
        </form>
      )}
    </dialog>
  );
}
