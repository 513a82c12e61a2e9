/** Prints the report: Node, Bun and Deno. */
import { runChecks } from '../checks.js';

console.log(JSON.stringify(await runChecks()));
