/** A thread that evaluates, for the lane that owns it: a job at a time, its progress, and the rules that it knows. */
import type { PatternOptions } from 'headgate';
import { asksForRawPayload } from '../stored/event-json.js';
import { startThread, type Thread } from '../threads/index.js';
import type { EvaluatorWorker } from './evaluator-worker.js';
import type { Group, GroupWithRules, Job, JobAnswer } from './protocol.js';

/** A thread. One job runs at a time. */
export interface EvaluatorThread extends Pick<Thread<EvaluatorWorker>, 'started' | 'progress' | 'end'> {
  /** Rejects with `ThreadLost`. */
  run(groups: readonly GroupWithRules[]): Promise<JobAnswer>;
}

/** Most characters of rules that a thread keeps, beside those of the current job. */
const MAX_RULE_UNITS = 67_108_864;
const MAX_HEAP_MB = 1_024;

/** @param patterns - The work that rules may do on one event; see the package's docs/patterns.md. */
export function startEvaluator(patterns: PatternOptions, niceness: number): EvaluatorThread {
  const file = new URL('./evaluator-worker.js', import.meta.url);
  const thread = startThread<EvaluatorWorker>({ file, data: patterns, niceness, maxHeapMb: MAX_HEAP_MB });
  const known = createKnownRules();
  return { ...thread, run: (groups) => thread.run('evaluate', known.jobOf(groups)) };
}

/** The rule sets that a thread has: least recently used first, bounded by the size of their texts. */
function createKnownRules(): { jobOf(groups: readonly GroupWithRules[]): Job } {
  const known = new Map<string, { readonly version: number; readonly units: number }>();
  let units = 0;
  const remove = (project: string): void => {
    units -= known.get(project)?.units ?? 0;
    known.delete(project);
  };
  /** A group as it is sent: rules only if the thread lacks them, raw payloads only if rules read them. */
  const sent = ({ project, version, rules, events }: GroupWithRules): Group => {
    const isKnown = known.get(project)?.version === version;
    remove(project);
    known.set(project, { version, units: rules.length });
    units += rules.length;
    return {
      project,
      version,
      rules: isKnown ? null : rules,
      events: asksForRawPayload(rules) ? events : events.map(withoutRawPayload),
    };
  };
  return {
    jobOf(groups) {
      const forget: string[] = [];
      const needed = new Set(groups.map(({ project }) => project));
      const prepared = groups.map(sent);
      for (const project of known.keys()) {
        if (units <= MAX_RULE_UNITS) break;
        if (needed.has(project)) continue;
        remove(project);
        forget.push(project);
      }
      return { forget, groups: prepared };
    },
  };
}

const withoutRawPayload = <Event extends Group['events'][number]>(event: Event): Event => ({
  ...event,
  rawPayload: null,
});
