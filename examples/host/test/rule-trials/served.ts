/** Rules and their trials behind one app, for tests. */
import type { DryRunEndpoint } from 'headgate';
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/api/app.js';
import type { Database } from '../../src/db/index.js';
import { createRuleTrials, type RuleTrialParts } from '../../src/rule-trials/rule-trials.js';
import { createRules } from '../../src/rules/rules.js';

/** An answer whose JSON has been read. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** No result depends on the time that the machine has. */
const PATIENT = { maxMs: 60_000, endAfterMs: 60_000 };

/** Asks as somebody who may manage the project. */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  init?: { readonly signal?: AbortSignal },
) => Promise<Answered>;

/** @param settings - The endpoints of the project; else as {@link RuleTrialParts} */
export function openRuleTrials(
  db: Database,
  project: string,
  settings: { readonly endpoints?: readonly DryRunEndpoint[] } & Pick<
    RuleTrialParts,
    'settings' | 'patterns'
  > = {},
): Ask {
  const { endpoints = [], ...parts } = settings;
  const ofProject = () => Promise.resolve(endpoints);
  const rules = createRules({ db, now: () => Date.now(), endpoints: ofProject });
  const bounds = { patterns: { budget: 10_000_000 }, settings: PATIENT };
  const trials = createRuleTrials({ db, rules, endpoints: ofProject, ...bounds, ...parts });
  onTestFinished(() => {
    trials.stop();
    rules.close();
  });
  const app = createApp({
    routes: [...trials.routes, ...rules.routes],
    authenticate: () =>
      Promise.resolve({ project, scopes: new Set(['manage'] as const), actor: 'key:test', isSession: false }),
    served: ({ error }) => {
      if (error !== undefined) console.error(error);
    },
    now: () => Date.now(),
    isStopping: () => false,
    projectExists: () => Promise.resolve(true),
  });
  return async (method, path, body, init = {}) => {
    const response = await app.fetch(
      new Request(`http://host.test/projects/${project}${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
        ...init,
      }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  };
}
