/** Health, readiness and metrics. */
import { bind, type BoundRoute } from '../api/route.js';
import { health, metrics as metricsRoute, readiness } from './routes.js';
import type { Metrics } from './metrics.js';

/** Dependencies of this module. */
export interface RuntimeParts {
  readonly metrics: Metrics;
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>;
  /** Throws when the clock of the process is not that of the database. */
  readonly assertClock: () => void;
}

const TEXT = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };

/**
 * A process that stops refuses every request before it gets here, so `readiness` has only the database and the clock to
 * ask.
 */
export const createRuntime = ({
  metrics,
  ping,
  assertClock,
}: RuntimeParts): { readonly routes: readonly BoundRoute[] } => ({
  routes: [
    bind(health, () => Promise.resolve({ status: 'ok' as const })),
    bind(readiness, async () => {
      await ping();
      assertClock();
      return { status: 'ready' as const };
    }),
    bind(metricsRoute, async () => new Response(await metrics.text(), { headers: TEXT })),
  ],
});
