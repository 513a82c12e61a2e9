/**
 * The process that measures cases: `measuring.mjs flat '[{"shape":"eq","rules":100}]' whole` prints a line of JSON for
 * each.
 */
import { questions } from '../questions.js';
import { effortOf, type Length } from './cpu.js';
import type { Case } from './question.js';

const [name, cases = '[]', length = 'whole'] = process.argv.slice(2);
const question = questions.find((question) => question.name === name);
if (question === undefined) throw new Error(`no question ${name}`);
for (const of of JSON.parse(cases) as Case[]) {
  const result = await question.measure(of, effortOf[length as Length]);
  console.log(JSON.stringify(result));
}
process.exit(); // an engine may leave threads behind
