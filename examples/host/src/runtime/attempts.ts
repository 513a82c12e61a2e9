/** Turns the scheduler's callbacks into metrics and lines of the log. */
import type { SchedulerCallbacks } from 'headgate/delivery';
import type { Logger } from './log.js';
import type { Metrics } from './metrics.js';

/** Callbacks of the scheduler. No line has a URL, a header, a body, or the detail of a failure. */
export const attemptCallbacks = (metrics: Metrics, log: Logger): SchedulerCallbacks => ({
  attempted({ id, endpoint_id }, { number, outcome, started_at, ended_at }, lateMs) {
    const code = outcome.ok ? 'ok' : outcome.failure;
    metrics.attempted(code, ended_at - started_at, lateMs ?? 0);
    log.debug(
      { delivery: id, endpoint: endpoint_id, attempt: number, code, status: outcome.status },
      'attempt',
    );
  },
  delivered: ({ state }) => metrics.finished(state),
  deadLettered({ id, endpoint_id, state }) {
    metrics.finished(state);
    log.info({ delivery: id, endpoint: endpoint_id }, 'dead letter');
  },
  released({ id }, error) {
    if (error !== undefined) log.error({ err: error, delivery: id }, 'an attempt could not be prepared');
  },
  leaseLost: ({ id }) => log.warn({ delivery: id }, 'an attempt was given up, and will be repeated'),
  storeFailed({ operation, error, failures }) {
    metrics.storeFailed('delivering');
    log.error({ err: error, operation, failures }, 'the deliveries cannot be read or recorded');
  },
  clockJumped: (jump) => log.warn({ ...jump }, 'the clock was set'),
  callbackFailed: (error) => log.error({ err: error }, 'a callback failed'),
});
