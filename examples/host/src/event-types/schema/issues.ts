/** Errors of ajv as issues, in the words of this service. They quote no value of the data. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ProblemIssue } from '../../errors/problem.js';

/** Most issues about one event or schema. */
export const MAX_EVENT_ISSUES = 20;
/** Most values of an `enum` that a message lists. */
const MOST_VALUES = 10;

/** Parameters of errors that messages name. */
interface Params {
  readonly missingProperty?: string;
  readonly additionalProperty?: string;
  readonly unevaluatedProperty?: string;
  readonly propertyName?: string;
  readonly property?: string;
  readonly type?: string | readonly string[];
  readonly allowedValues?: readonly unknown[];
  readonly allowedValue?: unknown;
}

export function issueOf({
  keyword,
  instancePath,
  params,
  message = 'is not valid',
}: ErrorObject): ProblemIssue {
  const of = params as Params;
  const at = (name: string | undefined): string =>
    `${instancePath}/${(name ?? '').replaceAll('~', '~0').replaceAll('/', '~1')}`;
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return { code: 'missing_member', pointer: at(of.missingProperty), message: missing(of) };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = of.additionalProperty ?? of.unevaluatedProperty;
      return {
        code: 'unknown_member',
        pointer: at(name),
        message: `must not have the member "${name}": leave it out`,
      };
    }
    case 'propertyNames':
      return {
        ...{ code: 'unknown_member', pointer: at(of.propertyName) },
        message: `must not have a member named "${of.propertyName}": rename it, or leave it out`,
      };
    case 'type':
      return { code: 'invalid_type', pointer: instancePath, message: `must be ${typesIn(of.type)}` };
    case 'enum':
      return {
        code: 'invalid_value',
        pointer: instancePath,
        message: `must be ${valuesIn(of.allowedValues)}`,
      };
    case 'const':
      return {
        code: 'invalid_value',
        pointer: instancePath,
        message: `must be ${valuesIn([of.allowedValue])}`,
      };
    case 'anyOf':
      return { code: 'invalid_value', pointer: instancePath, message: 'must match one of the alternatives' };
    case 'oneOf':
      return {
        ...{ code: 'invalid_value', pointer: instancePath },
        message: 'must match exactly one of the alternatives',
      };
    case 'false schema':
      return { code: 'invalid_value', pointer: instancePath, message: 'must not be there: leave it out' };
    default:
      return {
        code: 'invalid_value',
        pointer: instancePath,
        message: message.replace('must NOT', 'must not'),
      };
  }
}

const missing = ({ missingProperty = '', property }: Params): string =>
  property === undefined
    ? `the member "${missingProperty}" is missing: add it`
    : `the member "${missingProperty}" is missing: add it, or leave "${property}" out`;

const typesIn = (types: Params['type'] = []): string => [types].flat().map(withArticle).join(' or ');

const withArticle = (type: string): string =>
  type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;

function valuesIn(values: readonly unknown[] = []): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  const more = values.length > MOST_VALUES ? `, or one of ${values.length - MOST_VALUES} others` : '';
  return `${shown.length > 1 ? 'one of ' : ''}${shown.join(', ')}${more}`;
}
