/** Alerts that nobody gets, for tests of endpoints alone. */
import type { StateAlerts } from '../../src/endpoints/edits.js';

export const NO_ALERTS: StateAlerts = { paused: () => Promise.resolve(), recovered: () => Promise.resolve() };
