/** Answers every request with the report: a Worker. */
import { runChecks } from '../checks.js';

export default {
  fetch: async (): Promise<Response> => Response.json(await runChecks()),
};
