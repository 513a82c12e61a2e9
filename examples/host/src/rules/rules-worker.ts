/** Long work on rules. It writes no database; dry-runs and comparisons read one, by a connection of their own. */
import { setImmediate as turn } from 'node:timers/promises';
import {
  dryRun,
  type DryRunEndpoint,
  type DryRunProgress,
  type DryRunSample,
  importRules,
  type ImportSummary,
  type PatternOptions,
  type Rule,
} from 'headgate';
import type { DatabaseOptions } from '../db/index.js';
import { openReader } from '../db/reader.js';
import { asksForRawPayload, eventForRules, type EventForRules } from '../stored/event-json.js';
import { newId } from '../ids.js';
import { fitting, shortIssues } from '../errors/shortened.js';
import type { JobContext } from '../threads/messages.js';
import { serve } from '../threads/serve.js';
import { warningsAbout } from './checking.js';
import { compareEvents } from './comparisons/compare-events.js';
import { reportText } from './dry-run-samples.js';
import { type PastEvents, pagesOfPastEvents, tagsOfEvents } from './past-events.js';
import type { RuleWarning } from './routes.js';
import { columnsOf, type RuleColumns } from './stored.js';

const HOUR_MS = 3_600_000;
/** Parts of the window of a dry-run, for a chart. */
const BUCKETS = 60;
/** Most problems of a file that its summary names, and most UTF-16 units of their JSON. */
const MOST_ERRORS = { items: 1_000, units: 524_288 };

/** Rules and events are JSON texts here, since structured clone cannot copy deep values. */
const worker = () => ({
  lint: ({ id, rules }: { readonly id: string; readonly rules: string }): RuleWarning[] =>
    warningsAbout(id, JSON.parse(rules) as Rule[]),
  importFile,
  dryRun: runDryRun,
  compareEvents,
});

export type RulesWorker = typeof worker;

/** A file of rules. */
interface GivenFile {
  readonly file: Uint8Array;
  /** Rules that the quota has room for. */
  readonly remaining: number;
  /** Unix ms. */
  readonly at: number;
}

/** A rule of a file. */
export interface ImportedRule extends RuleColumns {
  readonly id: string;
}

/** The rules of a file, and the summary with its first problems. */
interface ReadFile {
  readonly rules: readonly ImportedRule[];
  readonly summary: ImportSummary & { readonly errorsLeftOut: number };
}

function importFile({ file, remaining, at }: GivenFile): ReadFile {
  const { rules, summary } = importRules(file, { remaining, newId: () => newId(at) });
  const all = shortIssues(summary.errors.slice(0, MOST_ERRORS.items));
  const { items: errors } = fitting(all, MOST_ERRORS);
  return {
    rules: rules.map((rule) => ({ id: rule.id, ...columnsOf(rule, true) })),
    summary: { ...summary, errors, errorsLeftOut: summary.errors.length - errors.length },
  };
}

/** A rule to try on the events of a project. */
interface GivenDryRun {
  readonly database: DatabaseOptions;
  readonly project: string;
  /** JSON of `{ stage, match, action }`. */
  readonly rule: string;
  readonly windowHours: number;
  /** Unix ms. */
  readonly now: number;
  readonly endpoints: readonly DryRunEndpoint[];
  /** The work that rules may do on one event, as deciding has it; left out, the library's. */
  readonly patterns?: PatternOptions;
}

/** The end of a dry-run. */
interface DryRunEnd {
  /** True if it was told to end before its last event. */
  readonly isCut: boolean;
  readonly progress: DryRunProgress;
  /** JSON of the report, whose samples may be deep. */
  readonly report: string;
}

async function runDryRun(given: GivenDryRun, { over, tell }: JobContext<DryRunProgress>): Promise<DryRunEnd> {
  const { rule, project, windowHours, now, endpoints, patterns } = given;
  const reader = await openReader(given.database);
  const events = pastEvents(reader, {
    project,
    after: now - windowHours * HOUR_MS,
    until: now,
    hasRawPayload: asksForRawPayload(rule),
  });
  const report = await dryRun(JSON.parse(rule) as Rule, events, {
    ...{ windowHours, now, endpoints, buckets: BUCKETS },
    ...{ signal: over, onAbort: 'report' as const },
    onProgress: tell,
    ...(patterns !== undefined && { patterns }),
  });
  const { samples: _, histogram: __, aborted = false, ...progress } = report;
  const samples = await withNewTags(report.samples, (ids) => tagsOfEvents(reader, project, ids));
  return { isCut: aborted, progress, report: reportText({ ...report, samples }) };
}

/** Samples without the tags that their events have by now, whichever rules added them. */
async function withNewTags(
  samples: readonly DryRunSample[],
  tagsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>,
): Promise<readonly DryRunSample[]> {
  if (samples.every(({ tags }) => tags === undefined)) return samples;
  const known = await tagsOf(samples.map(({ id }) => id));
  return samples.map(({ tags = [], ...sample }) => ({
    ...sample,
    tags: tags.filter((tag) => known.get(sample.id)?.includes(tag) !== true),
  }));
}

/** Between two pages the event loop runs, so that the thread hears that it is to end. */
async function* pastEvents(
  reader: Parameters<typeof pagesOfPastEvents>[0],
  wanted: PastEvents,
): AsyncGenerator<EventForRules> {
  for await (const page of pagesOfPastEvents(reader, wanted)) {
    yield* page.map(eventForRules);
    await turn();
  }
}

serve(worker);
