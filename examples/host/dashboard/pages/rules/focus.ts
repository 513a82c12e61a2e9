/** Moves the focus to the first fault when somebody saves what is not valid. */
import { announce } from '../../ui/index.js';

/** Goes to the first field with a fault, once it is shown. */
export function focusFirstFault(): void {
  announce('The rule is not valid yet');
  requestAnimationFrame(() => {
    const first = document.querySelector<HTMLElement>(
      '.hg-rule-editor__main [aria-invalid="true"], .hg-fault',
    );
    first?.focus();
  });
}
