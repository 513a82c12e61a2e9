/** The ops of a transform: each reads one path and replaces its value, or skips. */
import { cloneJson, isContainer, jsonSize, type Json } from '../../json.js';
import { charge, type PatternOptions } from '../../patterns/index.js';
import { VISIT_WORK, type CompiledOp } from './op.js';
import { STAR, parsePath, type Path } from '../path.js';
import { compileDeepRedacts, compileRedact } from './redact.js';
import type { RedactOp, TransformOp } from '../rule.js';

/** An op that asks no pattern. */
type PlainOp = Exclude<TransformOp, RedactOp>;

/** The cost of a plain op, and the new value for the one there is: `closed` if the work cannot be paid for. */
interface Change {
  readonly cost: (value: unknown) => number;
  readonly change: (value: unknown) => unknown;
  readonly closed: (value: unknown) => unknown;
}

/** Changes a text; one that cannot be paid for stays as it is. */
const ofText = (change: (text: string) => string): Change => ({
  cost: (value) => (typeof value === 'string' ? value.length : 0),
  change: (value) => (typeof value === 'string' ? change(value) : value),
  closed: (value) => value,
});

/**
 * Each event gets a copy, and so does the op, so that none shares a mutable object with another. A scalar costs
 * nothing. If a copy cannot be paid for, `null` is set instead, since the rule may hide the value that was there.
 */
function setTo(value: Json): Change {
  const own = cloneJson(value);
  const size = isContainer(own) ? jsonSize(own) : 0;
  return { cost: () => size, change: () => cloneJson(own), closed: () => null };
}

/** Compiles ops that have been validated. Deep redacts of one path that stand side by side share a walk. */
export function compileOps(ops: readonly TransformOp[], options: PatternOptions): readonly CompiledOp[] {
  return runsOf(ops).map((run) => {
    const path = parsePath(run[0].path) as Path;
    const op = isDeepRun(run) ? compileDeepRedacts(run, path, options) : compileOp(run[0], path, options);
    return path.includes(STAR) ? charged(op, run, path) : op;
  });
}

/**
 * Ops on a path with stars, which charge each value that they visit. If nothing is left they visit none: `null`
 * replaces the array if they may hide something in it, and otherwise it stays as it is.
 */
function charged(op: CompiledOp, run: Run, path: Path): CompiledOp {
  const array = path.slice(0, path.indexOf(STAR));
  const mayHide = run.some(({ op }) => op === 'set' || op === 'redact');
  return (projection, work, onLimited) => {
    const limited = new Set<TransformOp>();
    if (work.left < 0) {
      for (const each of run) limited.add(each);
      if (mayHide) projection.change(array, (value) => (Array.isArray(value) ? null : value));
    } else {
      const before = projection.visited;
      op(projection, work, (each) => limited.add(each));
      work.left -= (projection.visited - before) * VISIT_WORK;
    }
    for (const each of limited) onLimited?.(each);
  };
}

type Run = readonly [TransformOp, ...TransformOp[]];
type DeepRun = readonly [RedactOp, ...RedactOp[]];

const isDeep = (op: TransformOp): op is RedactOp => op.op === 'redact' && op.deep === true;
const isDeepRun = (run: Run): run is DeepRun => isDeep(run[0]);

/** Deep redacts of the same path, as long as they stand side by side; any other op alone. */
function runsOf(ops: readonly TransformOp[]): readonly Run[] {
  const runs: [TransformOp, ...TransformOp[]][] = [];
  for (const op of ops) {
    const run = runs.at(-1);
    if (run !== undefined && isDeepRun(run) && isDeep(op) && op.path === run[0].path) run.push(op);
    else runs.push([op]);
  }
  return runs;
}

function compileOp(op: TransformOp, path: Path, options: PatternOptions): CompiledOp {
  if (op.op === 'redact') return compileRedact(op, path, options);
  const { cost, change, closed } = changeOf(op);
  return (projection, work, onLimited) => {
    projection.change(path, (value) => {
      const due = cost(value);
      if (due === 0 || charge(work, due)) return change(value);
      onLimited?.(op);
      return closed(value);
    });
  };
}

function changeOf(op: PlainOp): Change {
  switch (op.op) {
    case 'set':
      return setTo(op.value);
    case 'uppercase':
      return ofText((text) => text.toUpperCase());
    case 'lowercase':
      return ofText((text) => text.toLowerCase());
    case 'trim':
      return ofText((text) => text.trim());
  }
}
