/** Tries a rule on the stored events of a project; see docs/rules.md of the package. It writes nothing. */
import {
  type DryRunEndpoint,
  type DryRunProgress,
  type PatternOptions,
  RuleError,
  stringifyJson,
} from 'headgate';
import type { LongRun, RunLong } from '../api/long-answer.js';
import type { Database } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { invalidRule } from './checking.js';
import type { Turns } from '../limits/turns.js';
import { runLong } from './long-runs.js';
import { rulePool } from './rule-pool.js';
import { idsOfRoute } from '../stored/route-ids.js';

/** The rule to try, and the window of events, as a caller sends them. */
export interface DryRunRequest {
  readonly stage?: unknown;
  readonly match?: unknown;
  readonly action?: unknown;
  readonly windowHours?: unknown;
}

/** Dependencies and settings of dry-runs. */
export interface DryRunParts {
  readonly db: Database;
  readonly now: () => number;
  /** Returns the endpoints with these ids that a project has, active or paused. */
  readonly endpoints: (project: string, ids: readonly string[]) => Promise<readonly DryRunEndpoint[]>;
  readonly turns: Pick<Turns, 'take'>;
  /** The work that rules may do on one event, as where events are decided. */
  readonly patterns?: PatternOptions | undefined;
  /** Makes a signal that fires when a dry-run's time is up. @defaultValue 30 seconds */
  readonly deadline?: (() => AbortSignal) | undefined;
}

/** Dry-runs of one process. */
export interface DryRuns {
  /**
   * Takes a turn, of which a project has two.
   *
   * @returns Runs the dry-run; call it once. It rejects with the problems `invalid_rule` and `dry_run_timeout`.
   * @throws Problem `too_many_requests`, `overloaded`, `invalid_request`
   */
  begin(project: string, request: DryRunRequest): RunLong<DryRunProgress>;
}

type CheckedRequest = DryRunRequest & { readonly windowHours: number };

const MAX_WINDOW_HOURS = 168;

export function createDryRuns({ db, now, turns, endpoints, patterns, deadline }: DryRunParts): DryRuns {
  const report = async (
    project: string,
    request: CheckedRequest,
    call: LongRun<DryRunProgress>,
  ): Promise<string> => {
    const { stage, match, action, windowHours } = request;
    const rule = stringifyJson({ stage, match, action });
    const given = {
      ...{ database: db.options, project, rule, windowHours, now: now() },
      endpoints: await endpoints(project, idsOfRoute(action)),
      ...(patterns !== undefined && { patterns }),
    };
    const ended = await runLong((options) => rulePool.run('dryRun', given, options), call, {
      ...{ deadline, timedOut },
    }).catch((error: unknown) => {
      throw error instanceof RuleError ? invalidRule(error.issues) : error;
    });
    if (ended.isCut) throw timedOut(ended.progress);
    return ended.report;
  };
  return {
    begin(project, request) {
      const windowHours = windowOf(request);
      const end = turns.take(project);
      return (call) => report(project, { ...request, windowHours }, call).finally(end);
    },
  };
}

const NOTHING: DryRunProgress = { matched: 0, scanned: 0, undated: 0, limits: 0, byAction: {} };

const timedOut = (told: Partial<DryRunProgress>): Problem => {
  const soFar = { ...NOTHING, ...told };
  return new Problem(
    'dry_run_timeout',
    `the dry-run was ended after ${soFar.scanned} events: choose a smaller window, or a match that is faster`,
    { members: soFar },
  );
};

function windowOf({ windowHours }: DryRunRequest): number {
  if (
    Number.isSafeInteger(windowHours) &&
    Number(windowHours) >= 1 &&
    Number(windowHours) <= MAX_WINDOW_HOURS
  ) {
    return Number(windowHours);
  }
  const message = `windowHours must be a whole number of hours from 1 to ${MAX_WINDOW_HOURS}`;
  const issues = [{ code: 'invalid_window', pointer: '/windowHours', message }];
  throw new Problem('invalid_request', message, { issues });
}
