/** A box that floats at its button: a native popover, so that it lies above everything and closes as popovers do. */
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

const GAP = 4;
const MARGIN = 8;

/** Places a box below its anchor, or above it if there is no room; always inside the window. */
export function placeBox(box: HTMLElement, anchor: HTMLElement, end = false): void {
  const { left, right, top, bottom, width } = anchor.getBoundingClientRect();
  box.style.setProperty('--anchor-width', `${width}px`);
  const { offsetWidth, offsetHeight } = box;
  const x = end ? right - offsetWidth : left;
  const isBelow = bottom + GAP + offsetHeight <= innerHeight - MARGIN || top < innerHeight / 2;
  const y = isBelow ? bottom + GAP : top - GAP - offsetHeight;
  box.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - offsetWidth - MARGIN))}px`;
  box.style.top = `${Math.max(MARGIN, y)}px`;
}

/**
 * The parts of a button and its box.
 *
 * @param first - A selector of what takes the focus when the box opens: at once, before anybody can be further on.
 */
export function useFloating<Box extends HTMLElement>(first: string, end = false) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<Box>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const toggled = (event: Event): void => {
      const opens = (event as ToggleEvent).newState === 'open';
      setOpen(opens);
    };
    current.addEventListener('beforetoggle', toggled);
    return () => current.removeEventListener('beforetoggle', toggled);
  }, []);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const move = (): void => {
      if (box.current !== null && button.current !== null) placeBox(box.current, button.current, end);
    };
    move();
    addEventListener('scroll', move, { capture: true, passive: true });
    addEventListener('resize', move);
    return () => {
      removeEventListener('scroll', move, { capture: true });
      removeEventListener('resize', move);
    };
  }, [isOpen, end]);
  useLayoutEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>(first)?.focus();
  }, [isOpen, first]);
  const close = useCallback(() => {
    box.current?.hidePopover();
    button.current?.focus();
  }, []);
  const toggle = (): void => {
    if (isOpen) close();
    else box.current?.showPopover();
  };
  return { id, button, box, isOpen, toggle, close };
}
