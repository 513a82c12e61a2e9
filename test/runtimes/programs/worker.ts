/** Answers every request with the report: a Worker. It may not connect to this machine, so the client is not among it. */
import { runChecks, schedulerChecks } from '../checks.js';

export default {
  fetch: async (): Promise<Response> => Response.json(await runChecks(schedulerChecks)),
};
