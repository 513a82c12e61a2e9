/** How many alerts are open: shown in the navigation, and read again when some are dismissed. */
import { api, currentProject, isPortal, type Resource, useResource } from '../data/index.js';

/** The service counts up to this. */
const MOST_COUNTED = 1_000;

/** The portal has no alerts. */
export function useAlertCount(): Resource<{ readonly count: number }> {
  const project = currentProject();
  return useResource(`alert count ${project}`, async (signal) =>
    isPortal ? { count: 0 } : api.countAlerts({ project, signal }),
  );
}

/** Such as `3`, and `1,000+`; null for none. */
export const alertCountText = (count: number | undefined): string | null =>
  count === undefined || count === 0
    ? null
    : count >= MOST_COUNTED
      ? `${MOST_COUNTED.toLocaleString('en')}+`
      : `${count}`;
