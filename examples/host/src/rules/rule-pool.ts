/**
 * Long work on rules, each piece in a thread of its own: a caller may send patterns that take seconds to analyse, and
 * nobody else shall wait for them. It ends with a result, or with its thread when its time is up or its caller goes
 * away.
 */
import { DatabaseUnavailable } from '../db/index.js';
import { BACKGROUND, createPool } from '../threads/index.js';
import type { RulesWorker } from './rules-worker.js';

/** `createRules` bounds how much runs at once. */
export const rulePool = createPool<RulesWorker>({
  file: new URL('./rules-worker.js', import.meta.url),
  data: undefined,
  niceness: BACKGROUND,
  // A file of 10 MiB takes a tenth of it.
  maxHeapMb: 512,
  errors: { DatabaseUnavailable },
  idleMs: 0,
});
