/** A thread that evaluates events. It reads no database and writes none. */
import { setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { platform } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { createEvaluator, type Evaluator } from './evaluator.js';
import type { Group, GroupAnswer, Job, ThreadOptions } from './protocol.js';

const options = workerData as ThreadOptions;
const progress = new Int32Array(options.progress);
const evaluator = createEvaluator(options, () => performance.now());

// On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
if (platform === 'linux' && options.niceness > 0) setPriority(options.niceness);

parentPort?.on('message', ({ forget, groups }: Job) => {
  for (const project of forget) evaluator.forget(project);
  parentPort?.postMessage(groups.map((group) => answer(evaluator, group)));
});

parentPort?.postMessage('started');

function answer(to: Evaluator, group: Group): GroupAnswer {
  const before = Atomics.load(progress, 0);
  try {
    return to.evaluate(group, () => Atomics.add(progress, 0, 1));
  } catch (error) {
    Atomics.store(progress, 0, before + group.events.length);
    return { error: error instanceof Error ? error.message : 'unknown' };
  }
}
