/** Prints the report: Node, Bun and Deno. */
import { runChecks, schedulerChecks } from '../checks.js';
import { clientChecks } from '../client-checks.js';

console.log(JSON.stringify(await runChecks({ ...schedulerChecks, ...clientChecks })));
