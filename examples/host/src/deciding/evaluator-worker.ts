/** Evaluates events by the rules of their projects. It reads no database and writes none. */
import { performance } from 'node:perf_hooks';
import type { PatternOptions } from 'headgate';
import type { JobContext } from '../threads/messages.js';
import { serve } from '../threads/serve.js';
import { createEvaluator, type Evaluator } from './evaluator.js';
import type { Group, GroupAnswer, Job, JobAnswer } from './protocol.js';

const worker = (patterns: PatternOptions) => {
  const evaluator = createEvaluator(patterns, () => performance.now());
  return {
    evaluate({ forget, groups }: Job, job: JobContext): JobAnswer {
      for (const project of forget) evaluator.forget(project);
      return groups.map((group) => answer(evaluator, group, job));
    },
  };
};

export type EvaluatorWorker = typeof worker;

function answer(to: Evaluator, group: Group, { count }: JobContext): GroupAnswer {
  let ended = 0;
  try {
    return to.evaluate(group, () => {
      ended++;
      count();
    });
  } catch (error) {
    count(group.events.length - ended);
    return { error: error instanceof Error ? error.message : 'unknown' };
  }
}

serve(worker);
