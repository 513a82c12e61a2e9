/** Rules: created, read, changed and deleted, and the rule set of each project as it is now. */
import { type PatternOptions, ruleTemplates } from 'headgate';
import { longAnswer } from '../api/long-answer.js';
import type { Principal } from '../api/principal.js';
import { refusedSlowly } from '../api/refusing.js';
import { bind, type BoundRoute, WithHeaders } from '../api/route.js';
import type { Database } from '../db/index.js';
import { etag } from '../http/version.js';
import { createRuleCache, type CurrentRules } from './current.js';
import { type ComparedEvents, createComparedEvents } from './comparisons/compared-events.js';
import { comparisonRoutes } from './comparisons/comparisons.js';
import { createDryRuns, type DryRunParts } from './dry-run.js';
import { createRunEdit, type Editor } from './edit.js';
import { exportedFile } from './exporting.js';
import { importFile } from './importing.js';
import { warningsOf } from './linting.js';
import { orderRules as reorder } from './ordering.js';
import { createTurns } from '../limits/turns.js';
import { createRuleReads, type RuleReads } from './reading.js';
import {
  createRule,
  deleteRule,
  dryRunRule,
  exportRules,
  getRule,
  importRules,
  listRuleCounts,
  listRules,
  listRuleTemplates,
  listRuleVersions,
  orderRules,
  replaceRule,
  ruleHours,
  type SavedRule,
  type ShownRule,
  updateRule,
} from './routes.js';
import { pageOfVersions } from './versions.js';
import { createRuleWrites, forgetMinutes } from './writing.js';

/** Dependencies of this module. */
export interface RuleParts {
  readonly db: Database;
  readonly now: () => number;
  /** The endpoints of a project, for dry-runs. */
  readonly endpoints: DryRunParts['endpoints'];
  /** The work that rules may do on one event, as deciding has it; left out, the library's. */
  readonly patterns?: PatternOptions;
  /** Called when a project has as many rules as its plan allows, and somebody adds one. */
  readonly full?: (project: string) => void;
  /** Fires when a dry-run has taken its time; left out, after 30 seconds. */
  readonly dryRunDeadline?: () => AbortSignal;
  /** Fires when an import has taken too long. */
  readonly importDeadline?: () => AbortSignal;
}

/** Rules, for deciding and for the routes. */
export interface Rules {
  /**
   * The rules of a project, one edit's work, at most a second old. Rejects with `not_found` if the project does not
   * exist.
   */
  current(project: string): Promise<CurrentRules>;
  /** The events of comparisons, for replays. */
  readonly compared: ComparedEvents;
  /** Stops listening to edits of other processes. */
  close(): void;
  readonly routes: readonly BoundRoute[];
}

/** Each of them has a thread of its own. */
const TURNS = { atOnce: 8, ofProject: 2, waiting: 0, allWaiting: 0, of: 'dry-runs, comparisons and imports' };

export function createRules(parts: RuleParts): Rules {
  const { db, now, endpoints, patterns, full, dryRunDeadline: deadline, importDeadline } = parts;
  const cache = createRuleCache(db, now);
  const reads = createRuleReads(db, now);
  const run = createRunEdit(db, now, cache.forget);
  const writes = createRuleWrites(run, reads, full);
  const turns = createTurns(TURNS);
  const dryRuns = createDryRuns({ db, now, endpoints, turns, patterns, deadline });
  const saved = async ({ params }: EditCall, rule: ShownRule): Promise<WithHeaders<SavedRule>> => {
    const { project } = params;
    const warnings = await warningsOf(project, rule.id, await cache.current(project), turns);
    return withEtag({ ...rule, warnings });
  };
  return {
    current: cache.current,
    compared: createComparedEvents(db, now),
    close: cache.close,
    routes: [
      bind(listRules, async ({ params, query }) => {
        const { version, ...page } = await reads.page(params.project, query);
        return new WithHeaders(page, { etag: etag(version) });
      }),
      bind(listRuleCounts, ({ params, query }) => reads.counts(params.project, query)),
      bind(createRule, async (call) => saved(call, await writes.create(editorOf(call), call.body))),
      bind(orderRules, async (call) =>
        withEtag(await reorder(run, editorOf(call), call.body.ids, call.headers)),
      ),
      bind(exportRules, async ({ params }) => exportedFile((await cache.current(params.project)).each())),
      bind(importRules, async (call) => {
        const file = await call.bytes();
        const end = await refusedSlowly(() => turns.take(call.params.project));
        const importing = { db, now, run, full, deadline: importDeadline };
        return importFile(importing, editorOf(call), file, call.signal).finally(end);
      }),
      bind(dryRunRule, async (call) => {
        const dryRun = await refusedSlowly(() => dryRuns.begin(call.params.project, call.body));
        return longAnswer(dryRun, call);
      }),
      bind(getRule, async ({ params }) => withEtag(await reads.one(params.project, params.rule))),
      bind(replaceRule, async (call) => {
        const { params, headers, body } = call;
        return saved(call, await writes.replace(editorOf(call), params.rule, headers, body));
      }),
      bind(updateRule, async (call) => {
        const { params, headers, body } = call;
        return saved(call, await writes.change(editorOf(call), params.rule, headers, body));
      }),
      bind(deleteRule, async (call) => {
        await writes.remove(editorOf(call), call.params.rule, call.headers);
        await forgetMinutes(db, call.params.rule);
        return undefined;
      }),
      ...historyRoutes(db, reads),
      ...comparisonRoutes({ db, now, turns, patterns, deadline, current: cache.current }),
      bind(listRuleTemplates, () => Promise.resolve({ items: [...ruleTemplates] })),
    ],
  };
}

/** The routes of the matches and the versions of one rule. */
const historyRoutes = (db: Database, reads: RuleReads): readonly BoundRoute[] => [
  bind(ruleHours, async ({ params, query }) => ({
    items: await reads.hours(params.project, params.rule, query.hours),
  })),
  bind(listRuleVersions, ({ params, query }) => pageOfVersions(db, params, query)),
];

const withEtag = <Of extends { readonly version: number }>(rule: Of): WithHeaders<Of> =>
  new WithHeaders(rule, { etag: etag(rule.version) });

/** The project in the path, and the caller. */
const editorOf = ({ params, principal }: EditCall): Editor => ({
  project: params.project,
  actor: principal.actor,
});

interface EditCall {
  readonly params: { readonly project: string };
  readonly principal: Principal;
}
