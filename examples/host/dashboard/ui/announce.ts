/** Announcements to screen readers, in one polite live region, which the shell renders. */
import { signal } from '@preact/signals';

/** The last sentence. */
export const announced = signal('');

/** Announces a short sentence, such as `Saved` or `12 new events`. The same sentence twice is announced twice. */
export function announce(text: string): void {
  announced.value = announced.value === text ? `${text}\u00A0` : text;
}
