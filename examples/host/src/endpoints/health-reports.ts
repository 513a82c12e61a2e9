/** Records the scheduler's reports of an endpoint's health. */
import type { Database } from '../db/index.js';
import type { Edits, StateAlerts } from './edits.js';
import { EXHAUSTED, FAILING, RECOVERED } from './statements.js';

/** Callbacks of the scheduler, after an attempt was recorded. `since` is when the failures began; Unix ms. */
export interface HealthReports {
  /** An attempt failed while none before it had. */
  failing(endpointId: string, since: number): Promise<void>;
  /** An attempt succeeded. */
  recovered(endpointId: string, since: number): Promise<void>;
  /**
   * All attempts have failed for a day at least. The endpoint is paused once that is as long as its project allows; it
   * never is where the project has no such option.
   */
  exhausted(endpointId: string, since: number): Promise<void>;
}

const DAY_MS = 86_400_000;

export const createHealthReports = (
  db: Database,
  now: () => number,
  { pauseForFailures }: Pick<Edits, 'pauseForFailures'>,
  alerts: StateAlerts,
): HealthReports => ({
  async failing(endpointId, since) {
    await db.run(FAILING, [endpointId, since]);
  },
  async recovered(endpointId, since) {
    await db.transaction(async (tx) => {
      const row = await tx.get<{ readonly project_id: string }>(RECOVERED, [endpointId, since]);
      if (row === undefined) return;
      const about = { project: row.project_id, endpoint: endpointId, failingSince: since };
      await alerts.recovered(tx, about, 'delivery');
    });
  },
  async exhausted(endpointId, since) {
    const row = await db.get<{ readonly project_id: string; readonly auto_pause_days: number }>(EXHAUSTED, [
      endpointId,
      since,
    ]);
    if (row === undefined || now() - since < row.auto_pause_days * DAY_MS) return;
    await pauseForFailures(row.project_id, endpointId, since);
  },
});
