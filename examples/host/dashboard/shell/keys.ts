/** Keys of the whole page. They do nothing while something is being written, or a dialog is open. */
import { useEffect } from 'preact/hooks';
import { commands } from '../data/index.js';

/** How long the second key of two may take. */
const SEQUENCE_MS = 1_200;

const isWriting = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));

/** Runs the commands of the page by their keys, and opens the palette by Ctrl or ⌘ with K. */
export function useKeys(openPalette: () => void): void {
  useEffect(() => {
    let first: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pressed = (event: KeyboardEvent): void => {
      const { key } = event;
      // The element itself, even if it is in a shadow root, as the JSON editor is.
      const [target] = event.composedPath();
      if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        if (document.querySelector('dialog[open]') === null) openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isWriting(target) || document.querySelector('dialog[open], :popover-open') !== null) return;
      const typed = first === null ? key : `${first} ${key}`;
      const all = commands();
      const command = all.find(({ keys }) => keys === typed) ?? all.find(({ keys }) => keys === key);
      clearTimeout(timer);
      first = null;
      if (command !== undefined) {
        event.preventDefault();
        command.run();
      } else if (all.some(({ keys }) => keys?.startsWith(`${key} `) === true)) {
        first = key;
        timer = setTimeout(() => (first = null), SEQUENCE_MS);
      }
    };
    addEventListener('keydown', pressed);
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', pressed);
    };
  }, [openPalette]);
}
