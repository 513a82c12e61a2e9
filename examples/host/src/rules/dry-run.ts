/** Tries a rule on the stored events of a project; see docs/rules.md of the package. It writes nothing. */
import {
  type DryRunEndpoint,
  type DryRunProgress,
  type PatternOptions,
  RuleError,
  stringifyJson,
} from 'headgate';
import type { Database } from '../db/index.js';
import { Problem } from '../errors/problem.js';
import { invalidRule } from './checking.js';
import type { Turns } from '../limits/turns.js';
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
  /** Fires when a dry-run has taken its time: 30 seconds, where it is left out. Made when the dry-run begins. */
  readonly deadline?: (() => AbortSignal) | undefined;
}

/** How one dry-run runs. */
export interface DryRunCall {
  /** Fires when the caller goes away. */
  readonly signal: AbortSignal;
  readonly progress?: (soFar: DryRunProgress) => void;
}

/** Runs a dry-run that has its place, and gives the place back; returns the JSON of the library's report. */
export type RunDryRun = (call: DryRunCall) => Promise<string>;

/** Dry-runs of one process. */
export interface DryRuns {
  /**
   * Takes a place, of which there are two a project.
   *
   * @returns Its run, to be called once. It rejects with the problems `invalid_rule` and `dry_run_timeout`.
   * @throws Problem `too_many_requests`, `overloaded`, `invalid_request`
   */
  begin(project: string, request: DryRunRequest): RunDryRun;
}

type CheckedRequest = DryRunRequest & { readonly windowHours: number };

const TIMEOUT_MS = 30_000;
/** How long after that a dry-run is in the middle of one event at most; then its thread is ended. */
const GRACE_MS = 3_000;
const MAX_WINDOW_HOURS = 168;

export function createDryRuns({
  db,
  now,
  turns,
  endpoints,
  patterns,
  deadline: deadlineOf = () => AbortSignal.timeout(TIMEOUT_MS),
}: DryRunParts): DryRuns {
  const report = async (
    project: string,
    request: CheckedRequest,
    { signal, progress }: DryRunCall,
  ): Promise<string> => {
    const { stage, match, action, windowHours } = request;
    const rule = stringifyJson({ stage, match, action });
    const given = {
      ...{ database: db.options, project, rule, windowHours, now: now() },
      endpoints: await endpoints(project, idsOfRoute(action)),
      ...(patterns !== undefined && { patterns }),
    };
    const finish = deadlineOf();
    const hardEnd = later(finish, GRACE_MS);
    let soFar: DryRunProgress = { matched: 0, scanned: 0, undated: 0, limits: 0, byAction: {} };
    try {
      const ended = await rulePool.run('dryRun', given, {
        signal: AbortSignal.any([signal, hardEnd]),
        finish,
        told: (told) => {
          soFar = told;
          progress?.(told);
        },
      });
      if (ended.isCut) throw timedOut(ended.progress);
      return ended.report;
    } catch (error) {
      if (error instanceof RuleError) throw invalidRule(error.issues);
      throw hardEnd.aborted && error === hardEnd.reason ? timedOut(soFar) : error;
    }
  };
  return {
    begin(project, request) {
      const windowHours = windowOf(request);
      const end = turns.take(project);
      return (call) => report(project, { ...request, windowHours }, call).finally(end);
    },
  };
}

/** A signal that fires so long after another. */
function later(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  const fire = (): void => void setTimeout(() => controller.abort(), ms).unref();
  if (signal.aborted) fire();
  else signal.addEventListener('abort', fire, { once: true });
  return controller.signal;
}

const timedOut = (soFar: DryRunProgress): Problem =>
  new Problem(
    'dry_run_timeout',
    `the dry-run was ended after ${soFar.scanned} events: choose a smaller window, or a match that is faster`,
    { members: { ...soFar } },
  );

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
