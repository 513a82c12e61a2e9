/** Posts the report to where it came from: a page in a browser. */
import { runChecks, schedulerChecks } from '../checks.js';
import { clientChecks } from '../client-checks.js';

const report = await runChecks({ ...schedulerChecks, ...clientChecks });
await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
