/** The thread of one task. It reads no database and writes none. */
import { setPriority } from 'node:os';
import { platform } from 'node:process';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { dryRun, type DryRunProgress, importRules, type Rule, RuleError, stringifyJson } from 'headgate';
import { eventForRules, type EventForRules } from '../events/event-json.js';
import { newId } from '../ground/ids.js';
import { warningsAbout } from './checking.js';
import type { PastEvent } from './past-events.js';
import { columnsOf } from './stored.js';
import type { DryRunEnd, DryRunTask, Page, Results, Task, Told } from './tasks.js';

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
  return { rules: rules.map((rule) => ({ id: rule.id, ...columnsOf(rule, true) })), summary };
}

async function runDryRun({ rule, windowHours, now, endpoints, budget }: DryRunTask): Promise<DryRunEnd> {
  const end = new AbortController();
  const events = receivedEvents(() => end.abort());
  const onProgress = (progress: DryRunProgress): void => tell({ told: 'progress', progress });
  const patterns = budget === undefined ? {} : { patterns: { budget } };
  const ending = { signal: end.signal, onAbort: 'report' as const, onProgress };
  const report = await dryRun(JSON.parse(rule) as Rule, events, {
    windowHours,
    now,
    endpoints,
    ...ending,
    ...patterns,
  });
  const { samples: _, aborted = false, ...progress } = report;
  return { isCut: aborted, progress, report: stringifyJson(report) };
}

/**
 * The events that the main thread sends; the next page is asked for while one is looked at.
 *
 * @param ended - Called when the main thread asks to end.
 */
async function* receivedEvents(ended: () => void): AsyncGenerator<EventForRules> {
  let take: (page: readonly PastEvent[] | null) => void = () => undefined;
  port.on('message', (page: Page) => (page === 'end' ? ended() : take(page)));
  const nextPage = (): Promise<readonly PastEvent[] | null> =>
    new Promise((resolve) => {
      take = resolve;
      tell({ told: 'more' });
    });
  for (let coming = nextPage(); ;) {
    const page = await coming;
    if (page === null) return;
    coming = nextPage();
    for (const event of page) yield eventForRules(event);
  }
}
