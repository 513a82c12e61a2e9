/** Fewer claims while more events come in than can be stored at once. What is in flight is recorded as ever. */
import type { DeliveryStore } from 'headgate/delivery';
import { createPace } from '../limits/pace.js';

const GAP_UNDER_PRESSURE_MS = 50;

/**
 * Wraps a store for one scheduler.
 *
 * @param isPressed - True while more events come in than can be stored at once.
 */
export function paceClaims(store: DeliveryStore, isPressed: () => boolean): DeliveryStore {
  const pace = createPace(() => (isPressed() ? GAP_UNDER_PRESSURE_MS : 0));
  return {
    ...store,
    async claim(request) {
      await pace();
      return store.claim(request);
    },
  };
}
