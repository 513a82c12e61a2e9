/** The node schemas put together, for editors. */
import { deepFreeze, type Json } from '../../json.js';
import {
  actionSchemas,
  children,
  documentMembers,
  documentRequired,
  groupSchemas,
  leafSchemas,
  object,
  opSchemas,
} from './schemas.js';

const refs = (names: object) => ({ oneOf: Object.keys(names).map((key) => ({ $ref: `#/$defs/${key}` })) });
const childRefs = { ...children, items: { $ref: '#/$defs/match' } };

/**
 * JSON Schema 2020-12 of a rule document, for editors. It is the node schemas put together; what no
 * schema can say (paths, patterns) only {@link validateRule} checks.
 */
export const ruleSchema: { readonly [key: string]: Json } = deepFreeze({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Headgate rule',
  ...object(
    { ...documentMembers, match: { $ref: '#/$defs/match' }, action: { $ref: '#/$defs/action' } },
    documentRequired,
  ),
  $defs: {
    match: refs({ ...groupSchemas, ...leafSchemas }),
    action: refs(actionSchemas),
    op: refs(opSchemas),
    ...leafSchemas,
    ...opSchemas,
    ...actionSchemas,
    transform: {
      ...actionSchemas.transform,
      properties: {
        ...actionSchemas.transform.properties,
        ops: { ...actionSchemas.transform.properties.ops, items: { $ref: '#/$defs/op' } },
      },
    },
    all: object({ all: childRefs }, ['all']),
    any: object({ any: childRefs }, ['any']),
  },
});
