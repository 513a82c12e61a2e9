/** The ops of a transform: each reads one path and puts something in its place, or skips. */
import { cloneJson, type Json } from '../json.js';
import { compileRedaction, type PatternOptions, type Work } from '../patterns/index.js';
import { parsePath, type Path } from './path.js';
import type { Projection } from './projection.js';
import type { RedactOp, TransformOp } from './rule.js';

/** Told of a redact that met its work budget and replaced the whole string. */
export type OnLimited = (op: RedactOp) => void;

/** The new value for the one there is. */
type Change = (value: unknown) => unknown;

/** Applies one op to an event under change; patterns charge what they do to `work`. */
export type CompiledOp = (projection: Projection<unknown>, work: Work, onLimited?: OnLimited) => void;

const ofText =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

/** Each event gets a copy, and so does the op, so that none shares a mutable object with another. */
function setTo(value: Json): Change {
  const own = cloneJson(value);
  return () => cloneJson(own);
}

/** Compiles an op that has been validated. */
export function compileOp(op: TransformOp, options: PatternOptions): CompiledOp {
  const path = parsePath(op.path) as Path;
  if (op.op === 'redact') return redacting(op, path, options);
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

function redacting(op: RedactOp, path: Path, options: PatternOptions): CompiledOp {
  const redact = compileRedaction(op.regex, op.replace, options);
  return (projection, work, onLimited) => {
    const redacted = ofText((text) => {
      const redaction = redact(text, projection.room, work);
      if (redaction.limited) onLimited?.(op);
      else projection.room -= Math.max(0, redaction.text.length - text.length);
      return redaction.text;
    });
    projection.change(path, redacted);
  };
}
