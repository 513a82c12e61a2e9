/** The ops of a transform: each reads one path and puts something in its place, or skips. */
import { cloneJson, type Json } from '../../json.js';
import type { PatternOptions } from '../../patterns/index.js';
import type { CompiledOp } from './op.js';
import { parsePath, type Path } from '../path.js';
import { compileDeepRedacts, compileRedact } from './redact.js';
import type { RedactOp, TransformOp } from '../rule.js';

/** The new value for the one there is. */
type Change = (value: unknown) => unknown;

const ofText =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

/** Each event gets a copy, and so does the op, so that none shares a mutable object with another. */
function setTo(value: Json): Change {
  const own = cloneJson(value);
  return () => cloneJson(own);
}

/** Compiles ops that have been validated. Deep redacts of one path that stand side by side share a walk. */
export function compileOps(ops: readonly TransformOp[], options: PatternOptions): readonly CompiledOp[] {
  return runsOf(ops).map((run) => {
    const path = parsePath(run[0].path) as Path;
    return isDeepRun(run) ? compileDeepRedacts(run, path, options) : compileOp(run[0], path, options);
  });
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
  const change = changeOf(op);
  return (projection) => {
    projection.change(path, change);
  };
}

function changeOf(op: Exclude<TransformOp, RedactOp>): Change {
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
