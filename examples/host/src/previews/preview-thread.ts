/** A thread that tries rules, one task after another. It reads no database and writes none. */
import { setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { platform } from 'node:process';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { RuleError } from 'headgate';
import { eventForRules } from '../events/event-json.js';
import { analyzeRules } from './analyzing.js';
import { explainRules } from './explain-rules.js';
import { pathsOf } from './paths.js';
import { createRuleSets } from './rule-sets.js';
import type { GivenEvent, IsOver, Job, Results, ThreadOptions, Told } from './tasks.js';
import { tryPattern } from './try-pattern.js';
import { tryRule } from './try-rule.js';

/** How much the thread gives way to those that decide and deliver, from 0 to 19; see nice(1). */
const NICENESS = 10;

const port = parentPort as MessagePort;
const tell = (message: Told): void => port.postMessage(message);

// On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
if (platform === 'linux') setPriority(NICENESS);

const { patterns, endAfterMs } = workerData as ThreadOptions;
const ruleSetsOf = createRuleSets(patterns);

port.on('message', (job: Job) => {
  run(job).then(
    (result) => tell({ told: 'result', result }),
    (error: unknown) => {
      if (error instanceof RuleError) tell({ told: 'invalid', issues: error.issues.map(plainIssue) });
      else tell({ told: 'failed', message: error instanceof Error ? error.message : 'unknown' });
    },
  );
});

tell({ told: 'started' });

async function run({ task, cancelled }: Job): Promise<Results[keyof Results]> {
  const flag = new Int32Array(cancelled);
  const endsAt = performance.now() + endAfterMs;
  const isOver: IsOver = () => performance.now() >= endsAt || Atomics.load(flag, 0) === 1;
  switch (task.kind) {
    case 'try':
      return tryRule(task, patterns, isOver);
    case 'tryPattern':
      return tryPattern(task, patterns, isOver);
    case 'paths':
      return pathsOf(readAll(task.events), isOver);
    case 'explain': {
      const { rules, set } = ruleSetsOf(task.rules);
      return explainRules(task, rules, set, patterns, isOver);
    }
    case 'analyze': {
      const { rules, set } = ruleSetsOf(task.rules);
      return analyzeRules(task, rules, set);
    }
  }
}

function* readAll(events: readonly GivenEvent[]) {
  for (const event of events) yield eventForRules(event);
}

function plainIssue({ code, pointer, message }: RuleError['issues'][number]): RuleError['issues'][number] {
  return { code, pointer, message };
}
