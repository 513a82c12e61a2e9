/** Answers every request with the report: a Worker with `nodejs_compat`. */
import * as signing from 'headgate/signing';
import { everywhere } from '../checks/areas.js';
import { runChecks } from '../checks/checks.js';
import { signingChecks } from '../checks/signing.js';

const checks = { ...everywhere, signing: signingChecks(signing) };

export default {
  fetch: async (): Promise<Response> => Response.json(await runChecks(checks)),
};
