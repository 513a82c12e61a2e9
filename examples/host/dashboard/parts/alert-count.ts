/** How many alerts are open: shown in the navigation, and read again when some are dismissed. */
import { api, currentProject, type Resource, useResource } from '../data/index.js';

/** The service counts up to this. */
const MOST_COUNTED = 1_000;

export function useAlertCount(): Resource<{ readonly count: number }> {
  const project = currentProject();
  return useResource(`alert count ${project}`, (signal) => api.countAlerts({ project, signal }));
}

/** Such as `3`, and `1,000+`; null for none. */
export const alertCountText = (count: number | undefined): string | null =>
  count === undefined || count === 0
    ? null
    : count >= MOST_COUNTED
      ? `${MOST_COUNTED.toLocaleString('en')}+`
      : `${count}`;
