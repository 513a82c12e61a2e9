/** The terminal output, beside that of the quickstart. */
import { cell, print, requestsCell, table } from '../../quickstart/screen.js';
import type { Found } from './found.js';
import type { Counts } from './implied.js';
import { ENDPOINT_NAMES } from './project.js';

export function showEvents(found: Found, implied: Counts): void {
  const rows = table(['webhooks', 'processed', 'dropped', 'urgent', 'keys redacted'], 0);
  rows.push([
    cell(found.accepted, implied.accepted),
    cell(found.processed, implied.processed),
    cell(found.dropped, implied.dropped),
    cell(found.urgent, implied.urgent),
    cell(found.redacted, implied.redacted),
  ]);
  print(rows.toString());
}

/** Endpoints and the SDK client. */
export function showDestinations(found: Found, implied: Counts, clientRepeats: number): void {
  const rows = table(['destination', 'delivered', 'failed', 'requests'], 1);
  for (const name of ENDPOINT_NAMES) {
    const [is, should] = [found.endpoints[name], implied.endpoints[name]];
    rows.push([
      name,
      cell(is.delivered, should.delivered),
      cell(is.failed, should.failed),
      requestsCell(is.requests, should.requests),
    ]);
  }
  rows.push([
    'SDK client',
    cell(found.received, implied.received),
    '0',
    requestsCell(found.received + clientRepeats, implied.received),
  ]);
  print(rows.toString());
}
