/** Counts of what needs attention: shown in the navigation, and read again when alerts are dismissed. */
import { api, currentProject, isPortal, type Output, type Resource, useResource } from '../data/index.js';
import { count } from '../words/numbers.js';

export type Attention = Output<'getAttention'>;

/** The service counts up to this. */
const MOST_COUNTED = 1_000;
const NONE: Attention = { alerts: 0, failing_endpoints: 0, dead_letters: 0 };

/** The portal has no counts. */
export function useAttention(): Resource<Attention> {
  const project = currentProject();
  return useResource(`attention ${project}`, async (signal) =>
    isPortal ? NONE : api.getAttention({ project, signal }),
  );
}

/** Such as `3`, and `1,000+`. */
export const cappedCount = (counted: number): string =>
  counted >= MOST_COUNTED ? `${count(MOST_COUNTED)}+` : count(counted);
