/**
 * Compiles the node schemas to plain functions when the package is built: ajv makes code out of a
 * schema, which a page or a worker that forbids eval could not do when a rule arrives.
 */
import { writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { nodeSchemas } from './schemas.js';

const ajv = new Ajv({
  allErrors: true,
  ownProperties: true,
  messages: false,
  allowUnionTypes: true,
  code: { source: true, esm: true, optimize: 2 },
});
for (const [name, schema] of Object.entries(nodeSchemas)) ajv.addSchema(schema, name);

const names = Object.fromEntries(Object.keys(nodeSchemas).map((name) => [name, name]));
const code = standalone.default(ajv, names);

// The one run-time function that ajv's code asks for counts code points; ours does the same.
const linked = code.replaceAll(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, 'codePointLength');
if (linked.includes('require(')) throw new Error('the validators ask for more of ajv than a length function');

writeFileSync(
  new URL('validators.js', import.meta.url),
  `// Made by generate.ts from schemas.ts; not edited.\nimport { codePointLength } from '../../unicode.js';\n${linked}\n`,
);
