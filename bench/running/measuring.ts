/** The process of one case: `measuring.mjs flat '{"shape":"eq","rules":100}'` prints its result as a line of JSON. */
import { questions } from '../questions.js';
import { effortOf } from './cpu.js';
import type { Case } from './question.js';

const [name, of = '{}', effort] = process.argv.slice(2);
const question = questions.find((question) => question.name === name);
if (question === undefined) throw new Error(`no question ${name}`);
const result = await question.measure(JSON.parse(of) as Case, effortOf(effort === 'quick'));
console.log(JSON.stringify(result));
process.exit(); // an engine may leave threads behind
