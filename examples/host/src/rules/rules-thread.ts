/** The thread of one task. It writes no database, and reads one only in a dry-run, by a connection of its own. */
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { dryRun, type DryRunProgress, type DryRunSample, importRules, type Rule, RuleError } from 'headgate';
import { openReader } from '../db/reader.js';
import { DatabaseUnavailable } from '../db/unavailable.js';
import { asksForRawPayload, eventForRules, type EventForRules } from '../events/event-json.js';
import { newId } from '../ground/ids.js';
import { fitting, shortIssues } from '../ground/shortened.js';
import { warningsAbout } from './checking.js';
import { reportText } from './dry-run-samples.js';
import { type PastEvents, pagesOfPastEvents, tagsOfEvents } from './past-events.js';
import { columnsOf } from './stored.js';
import type { DryRunEnd, DryRunTask, Order, Results, Task, Told } from './tasks.js';

const HOUR_MS = 3_600_000;
/** Parts of the window of a dry-run, for a chart. */
const BUCKETS = 60;
/** Most problems of a file that its summary names, and most UTF-16 units of their JSON. */
const MOST_ERRORS = { items: 1_000, units: 524_288 };
/** How much the threads give way to those that decide and deliver, from 0 to 19; see nice(1). */
const NICENESS = 10;

const port = parentPort as MessagePort;
const tell = (message: Told): void => port.postMessage(message);

// On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
if (platform === 'linux') setPriority(NICENESS);

try {
  tell({ told: 'result', result: await run(workerData as Task) });
} catch (error) {
  if (error instanceof RuleError) tell({ told: 'invalid', issues: error.issues.map(plainIssue) });
  else if (error instanceof DatabaseUnavailable) tell({ told: 'unavailable' });
  else tell({ told: 'failed', message: error instanceof Error ? error.message : 'unknown' });
}

async function run(task: Task): Promise<Results[Task['kind']]> {
  switch (task.kind) {
    case 'lint':
      return warningsAbout(task.id, JSON.parse(task.rules) as Rule[]);
    case 'import':
      return importFile(task.file, task.remaining, task.at);
    case 'dryRun':
      return runDryRun(task);
  }
}

function plainIssue({ code, pointer, message }: RuleError['issues'][number]): RuleError['issues'][number] {
  return { code, pointer, message };
}

function importFile(file: Uint8Array, remaining: number, at: number): Results['import'] {
  const { rules, summary } = importRules(file, { remaining, newId: () => newId(at) });
  const all = shortIssues(summary.errors.slice(0, MOST_ERRORS.items));
  const { items: errors } = fitting(all, MOST_ERRORS);
  return {
    rules: rules.map((rule) => ({ id: rule.id, ...columnsOf(rule, true) })),
    summary: { ...summary, errors, errorsLeftOut: summary.errors.length - errors.length },
  };
}

async function runDryRun(task: DryRunTask): Promise<DryRunEnd> {
  const { rule, project, windowHours, now, endpoints, patterns } = task;
  const end = new AbortController();
  port.on('message', (_: Order) => end.abort());
  const reader = await openReader(task.database);
  const events = pastEvents(reader, {
    project,
    after: now - windowHours * HOUR_MS,
    until: now,
    hasRawPayload: asksForRawPayload(rule),
  });
  const report = await dryRun(JSON.parse(rule) as Rule, events, {
    ...{ windowHours, now, endpoints, buckets: BUCKETS },
    ...{ signal: end.signal, onAbort: 'report' as const },
    onProgress: (progress: DryRunProgress) => tell({ told: 'progress', progress }),
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
