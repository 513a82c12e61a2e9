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

export interface ModalProps {
  readonly class: string;
  /** The name; left out if an element has it. */
  readonly label?: string;
  /** The id of the element that has the name. */
  readonly labelledBy?: string;
  /** Escape, or a click beside it. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** The native element, and nothing in it. Render it to open it, and leave it out to close it. */
export function Modal({ class: name, label, labelledBy, onClose, children }: ModalProps) {
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
  return (
    <dialog
      ref={ref}
      class={name}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose?.();
      }}
    >
      {children}
    </dialog>
  );
}

/** Render it to open it, and leave it out to close it. */
export function Dialog({ title, children, foot, size = 'm', onClose, onSubmit }: DialogProps) {
  const id = useId();
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
    <Modal
      class={classes('hg-dialog', size === 'wide' && 'hg-dialog--wide')}
      labelledBy={id}
      onClose={onClose}
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
    </Modal>
  );
}
