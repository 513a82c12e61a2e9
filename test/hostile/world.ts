import { createLookup, type HttpTransportOptions } from '../../src/adapters/http/index.js';
import { openNameServer } from './name-server.js';
import { openReceiver, type Receiver, response } from './receivers.js';
import type { Build } from './site.js';
import { authorities, type Hostile, hostileReceivers, zone } from './table.js';

/** An endpoint that a hostile receiver owns. */
export interface HostileEndpoint {
  readonly id: string;
  readonly url: string;
  readonly row: Hostile;
}

/** All hostile receivers at once, on the loopback. */
export interface World {
  readonly endpoints: readonly HostileEndpoint[];
  /** What a transport must be told to get at them: 127.0.0.1 counts as public, and no other address. */
  readonly transport: HttpTransportOptions;
  /** Where redirects lead. Nobody may ever connect to it. */
  readonly trap: Receiver;
  close(): Promise<void>;
}

/**
 * Opens a world of receivers.
 *
 * @param paceMs - Milliseconds between the pieces of what comes piece by piece.
 * @param rows - Which; all by default.
 */
export async function openWorld(paceMs: number, rows: readonly Hostile[] = hostileReceivers): Promise<World> {
  const receivers: Receiver[] = [];
  const keep = async (opening: Promise<Receiver>): Promise<Receiver> => {
    const opened = await opening;
    receivers.push(opened);
    return opened;
  };
  const trap = await keep(openReceiver(response(200)));
  const names = await openNameServer(zone);
  const build = (build: Build): Promise<string> => build({ paceMs, trapUrl: trap.url, keep });
  const urls = await Promise.all(rows.map((row) => build(row.build)));
  return {
    endpoints: rows.map((row, n) => ({ id: `endpoint ${n}`, url: urls[n] ?? '', row })),
    transport: {
      allow: ['127.0.0.1/32'],
      ca: authorities,
      lookup: createLookup({ servers: [names.address] }),
    },
    trap,
    async close() {
      names.close();
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}
