/** Prints the report: Node, Bun and Deno. */
import * as signing from 'headgate/signing';
import { everywhere } from '../checks/areas.js';
import { runChecks } from '../checks/checks.js';
import { httpChecks } from '../checks/http.js';
import { signingChecks } from '../checks/signing.js';
import { sqliteChecks } from '../checks/sqlite.js';

void runChecks({
  ...everywhere,
  signing: signingChecks(signing),
  sqlite: sqliteChecks,
  http: httpChecks,
}).then((report) => console.log(JSON.stringify(report)));
