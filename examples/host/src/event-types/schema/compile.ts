/**
 * Compiles schemas with ajv, which makes code of them: only in a thread, and only of schemas that were prepared. Every
 * schema counts its work, so that a check of hostile data by a hostile schema ends after a known amount of it.
 */
import { _, Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ProblemIssue } from '../../errors/problem.js';
import { issueOf, MAX_EVENT_ISSUES } from './issues.js';
import { patternTester } from './pattern.js';
import { COUNT, prepareSchema, type Schema } from './prepare.js';
import { firstDuplicate } from './unique.js';
import { MAX_WORK, TooMuchWork, Work } from './work.js';

/** A compiled schema; lives as long as its thread keeps it. */
export interface Compiled {
  /** The first things that are wrong with a value, each with a pointer into it; none if it is valid. Throws nothing. */
  issuesOf(value: unknown): readonly ProblemIssue[];
}

export type Compilation =
  | { readonly ok: true; readonly compiled: Compiled }
  | { readonly ok: false; readonly issues: readonly ProblemIssue[] };

/** `format` is an annotation, and so is every other keyword that asserts nothing. */
const OPTIONS: Options = {
  ...{ strictSchema: true, strictNumbers: true, strictTypes: false, strictTuples: false },
  ...{ allowMatchingProperties: true, allowUnionTypes: true, validateFormats: false, logger: false },
  // Looking for the first error alone, ajv 8.20 skips keywords beside `prefixItems` of an array that is shorter.
  allErrors: true,
  // Inherited members, such as `constructor`, are not in the data. Each reference is compiled once.
  ...{ ownProperties: true, inlineRefs: false },
};

const metaAjv = new Ajv2020(OPTIONS);

const TOO_COSTLY: ProblemIssue = {
  code: 'too_costly',
  pointer: '',
  message: 'checking this by the schema takes too much work: send less in one event, or simplify the schema',
};

/** ajv generates code that fails for some schemas with `unevaluatedProperties` in alternatives. */
const NOT_CHECKED: ProblemIssue = {
  code: 'not_checked',
  pointer: '',
  message: 'this cannot be checked by the schema: simplify its unevaluatedProperties or unevaluatedItems',
};

/** @param schema - Any JSON object. */
export function compileSchema(schema: Schema): Compilation {
  const faults = faultsOf(schema);
  if (faults.length > 0) return { ok: false, issues: faults };
  const prepared = prepareSchema(schema);
  if (!prepared.ok) return prepared;
  const work = new Work();
  let validate: ValidateFunction;
  try {
    validate = ajvOf(work).compile(prepared.schema);
  } catch (error) {
    return { ok: false, issues: [unusable(error)] };
  }
  return { ok: true, compiled: { issuesOf: (value) => issuesOf(value, validate, work) } };
}

/** A schema that ajv refuses, although it follows the meta-schema: it has, for example, an empty `enum`. */
function unusable(error: unknown): ProblemIssue {
  const reason =
    error instanceof RangeError
      ? 'its references lead through too many schemas'
      : (error as Error).message.replace('strict mode: ', '');
  return { code: 'invalid_schema', pointer: '', message: `the schema cannot be used: ${reason}` };
}

function issuesOf(value: unknown, validate: ValidateFunction, work: Work): readonly ProblemIssue[] {
  work.begin(MAX_WORK);
  try {
    return validate(value) ? [] : issuesIn(validate.errors ?? []);
  } catch (error) {
    // A RangeError: the references of the schema are as deep as the stack.
    return [error instanceof TooMuchWork || error instanceof RangeError ? TOO_COSTLY : NOT_CHECKED];
  } finally {
    validate.errors = null;
  }
}

/** Violations of the meta-schema. */
function faultsOf(schema: Schema): readonly ProblemIssue[] {
  const { $schema: _dialect, ...rest } = schema;
  if (metaAjv.validateSchema(rest) === true) return [];
  const { errors } = metaAjv;
  metaAjv.errors = null;
  return issuesIn(errors ?? []);
}

function issuesIn(errors: readonly ErrorObject[]): readonly ProblemIssue[] {
  const issues = new Map<string, ProblemIssue>();
  for (const error of errors) {
    const issue = issueOf(error);
    issues.set(`${issue.pointer} ${issue.message}`, issue);
    if (issues.size === MAX_EVENT_ISSUES) break;
  }
  return [...issues.values()];
}

function ajvOf(work: Work): Ajv2020 {
  const regExp = Object.assign((pattern: string) => patternTester(pattern, work), { code: 'patternTester' });
  const ajv = new Ajv2020({
    ...{ ...OPTIONS, meta: false, validateSchema: false },
    code: { regExp },
  });
  ajv.addKeyword({
    keyword: COUNT,
    code({ gen, schema, data }) {
      const apply = gen.scopeValue('func', { ref: work.apply });
      gen.code(_`${apply}(${schema as number}, ${data})`);
    },
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    ...{ type: 'array', schemaType: 'boolean' },
    error: { message: 'must not have the same element twice' },
    code(cxt) {
      if (cxt.schema !== true) return;
      const find = cxt.gen.scopeValue('func', {
        ref: (items: readonly unknown[]) => firstDuplicate(items, work),
      });
      cxt.pass(_`${find}(${cxt.data}) < 0`);
    },
  });
  return ajv;
}
