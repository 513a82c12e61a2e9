/** Checks schemas of event types, and events by them. It reads no database. */
import { depthOf } from '../http/json-parts.js';
import type { ProblemIssue } from '../errors/problem.js';
import { serve } from '../threads/serve.js';
import { compileSchema, type Compilation } from './schema/compile.js';
import type { Schema } from './schema/prepare.js';

/** The deepest a schema may be, and data that is checked, in containers within each other. */
const MAX_SCHEMA_DEPTH = 64;
const MAX_DATA_DEPTH = 256;
/** Most schemas that a thread keeps compiled, and most characters of them. */
const KEPT = { schemas: 256, units: 2_097_152 };

/** The documents of an event type, as JSON. */
export interface Documents {
  readonly schema: string;
  /** Null for no example. */
  readonly example: string | null;
}

/** Data and the schema that it is to match, as JSON. */
export interface Checked {
  readonly schema: string;
  readonly data: string;
}

const worker = () => {
  const kept = new Map<string, Compilation>();
  let units = 0;
  const forget = (schema: string): void => {
    if (kept.delete(schema)) units -= schema.length;
  };
  const compiled = (schema: string): Compilation => {
    const known = kept.get(schema);
    const compilation = known ?? compile(schema);
    forget(schema);
    kept.set(schema, compilation);
    units += schema.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT.schemas && units <= KEPT.units) break;
      forget(oldest);
    }
    return compilation;
  };
  const issuesOf = (schema: string, data: string): readonly ProblemIssue[] => {
    const compilation = compiled(schema);
    return compilation.ok ? check(compilation, data) : compilation.issues;
  };
  return {
    /** The issues of a schema and its example. */
    describe: ({ schema, example }: Documents): readonly ProblemIssue[] => {
      const compilation = compile(schema);
      if (!compilation.ok) return below('/schema', compilation.issues);
      return example === null ? [] : below('/example', check(compilation, example));
    },
    /** The issues of data by a schema that was saved. */
    check: ({ schema, data }: Checked): readonly ProblemIssue[] => below('/data', issuesOf(schema, data)),
  };
};

export type SchemaWorker = typeof worker;

const compile = (schema: string): Compilation =>
  depthOf(schema) > MAX_SCHEMA_DEPTH
    ? { ok: false, issues: [tooDeep(MAX_SCHEMA_DEPTH)] }
    : compileSchema(JSON.parse(schema) as Schema);

const check = ({ compiled }: Compilation & { ok: true }, data: string): readonly ProblemIssue[] =>
  depthOf(data) > MAX_DATA_DEPTH ? [tooDeep(MAX_DATA_DEPTH)] : compiled.issuesOf(JSON.parse(data));

const tooDeep = (most: number): ProblemIssue => ({
  ...{ code: 'too_deep', pointer: '' },
  message: `must not have more than ${most} objects and arrays within each other`,
});

const below = (pointer: string, issues: readonly ProblemIssue[]): readonly ProblemIssue[] =>
  issues.map((issue) => ({ ...issue, pointer: pointer + issue.pointer }));

serve(worker);
