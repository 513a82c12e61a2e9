/** The op `redact`: on the string at a path, or on every string at or below it. */
import {
  compileFilter,
  compileRedaction,
  type Filter,
  type PatternOptions,
  type Redactor,
  type Work,
} from '../../patterns/index.js';
import { VISIT_WORK, type CompiledOp, type OnLimited } from './op.js';
import type { Path } from '../path.js';
import type { Projection } from './projection.js';
import type { RedactOp } from '../rule.js';
import { Strings } from './strings.js';

/** An op and its compiled redaction. */
interface Redacting {
  readonly op: RedactOp;
  readonly redact: Redactor;
}

const compile = (op: RedactOp, options: PatternOptions): Redacting => ({
  op,
  redact: compileRedaction(op.regex, op.replace, options),
});

/** Compiles a redact of one string. */
export function compileRedact(op: RedactOp, path: Path, options: PatternOptions): CompiledOp {
  const { redact } = compile(op, options);
  return (projection, work, onLimited) => {
    projection.change(path, (value) => {
      if (typeof value !== 'string') return value;
      const { text, limited } = redact(value, projection.room, work);
      if (limited) onLimited?.(op);
      return projection.grown(value, text);
    });
  };
}

/** Compiles deep redacts of one path. The strings are listed once; each op sees the results of the one before. */
export function compileDeepRedacts(
  ops: readonly RedactOp[],
  path: Path,
  options: PatternOptions,
): CompiledOp {
  const redactings = ops.map((op) => compile(op, options));
  const filter = compileFilter(ops.map(({ regex }) => regex));
  return (projection, work, onLimited) => {
    const deepen = (value: unknown): unknown => {
      if (work.left < 0) return closeAll(value, redactings, projection, onLimited);
      const strings = new Strings(value, projection);
      work.left -= strings.visited * VISIT_WORK;
      const pass = new DeepPass(strings.texts, filter, projection, work);
      for (const redacting of redactings) {
        if (pass.apply(redacting)) onLimited?.(redacting.op);
      }
      return strings.with(pass.texts);
    };
    projection.change(path, deepen, Object.is);
  };
}

/**
 * Replaces every string at or below a value, where the account was exceeded before the ops began. Containers that the
 * rule has closed already are skipped, so that a hundred ops take little longer than one.
 */
function closeAll(
  value: unknown,
  redactings: readonly Redacting[],
  projection: Projection<unknown>,
  onLimited: OnLimited | undefined,
): unknown {
  const strings = new Strings(value, projection, (container) => projection.isClosed(container));
  const { redact } = redactings.at(-1) as Redacting;
  const closed = strings.with(
    strings.texts.map((text) => projection.grown(text, redact.closed(text, projection.room))),
  );
  for (const container of strings.containers()) projection.close(container);
  for (const { op } of redactings) onLimited?.(op);
  return closed;
}

const isExceeded = ({ exceeded }: Work): boolean => exceeded === true;

/** The strings at or below one value while a run of ops is applied to them. Made for each event. */
class DeepPass {
  readonly texts: string[];
  /** Indexes of the texts that some op may change, ascending. */
  #candidates: readonly number[];
  readonly #projection: Projection<unknown>;
  readonly #work: Work;

  constructor(texts: readonly string[], filter: Filter, projection: Projection<unknown>, work: Work) {
    this.texts = texts.slice();
    const candidates: number[] = [];
    for (let i = 0; i < texts.length; i++) {
      if (filter(texts[i] as string, work)) candidates.push(i);
    }
    this.#candidates = candidates;
    this.#projection = projection;
    this.#work = work;
  }

  /** Applies an op; true if it met a bound. Strings after one that exceeded the account are replaced whole. */
  apply({ redact }: Redacting): boolean {
    let isLimited = false;
    this.#work.exceeded = false;
    for (const i of this.#candidates) {
      const { text, limited } = redact(this.texts[i] as string, this.#projection.room, this.#work);
      this.#put(i, text);
      isLimited ||= limited;
      if (isExceeded(this.#work)) {
        this.#closeAfter(i, redact);
        break;
      }
    }
    return isLimited;
  }

  #closeAfter(index: number, redact: Redactor): void {
    for (let i = index + 1; i < this.texts.length; i++) {
      this.#put(i, redact.closed(this.texts[i] as string, this.#projection.room));
    }
    this.#candidates = [...this.texts.keys()];
  }

  #put(i: number, text: string): void {
    this.texts[i] = this.#projection.grown(this.texts[i] as string, text);
  }
}
