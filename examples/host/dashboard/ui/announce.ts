/** Announcements to screen readers, in one polite live region, which the shell renders. */
import { signal } from '@preact/signals';

/** The last sentence. */
export const announced = signal('');

/** Tells a short sentence, such as `Saved` or `12 new events`. The same sentence twice is told twice. */
export function announce(text: string): void {
  announced.value = announced.value === text ? `${text}\u00A0` : text;
}
