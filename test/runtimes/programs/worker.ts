/** Answers every request with the report: a Worker. */
import { everywhere } from '../checks/areas.js';
import { runChecks } from '../checks/checks.js';

export default {
  fetch: async (): Promise<Response> => Response.json(await runChecks(everywhere)),
};
