/** The receivers, names and certificates of a hostile world. */
import { createLookup, type HttpTransportOptions } from '../../src/adapters/http/index.js';
import { openNameServer } from './name-server.js';
import { openReceiver, type Receiver, response } from './receivers.js';
import { authorities, type Hostile, hostileReceivers, zone } from './table.js';

/** The addresses of the receivers of some rows; plain data, so that they may be in another process. */
export interface Grounds {
  /** In the order of the rows. */
  readonly urls: readonly string[];
  /** The address of the DNS server. */
  readonly names: string;
  /** Certificates to trust. */
  readonly ca: readonly string[];
}

/** The receivers of some rows, and who closes them. */
export interface OpenGrounds extends Grounds {
  /** The target of redirects. Nobody may ever connect to it. */
  readonly trap: Receiver;
  close(): Promise<void>;
}

/** An endpoint that a hostile receiver owns. */
export interface HostileEndpoint {
  readonly id: string;
  readonly url: string;
  readonly row: Hostile;
}

/** Hostile receivers, as the sender sees them. */
export interface World {
  readonly endpoints: readonly HostileEndpoint[];
  /** Options with which a transport reaches them: 127.0.0.1 counts as public, and no other address. */
  readonly transport: HttpTransportOptions;
}

/**
 * Opens the receivers of all rows, on the loopback.
 *
 * @param paceMs - Milliseconds between the pieces of what comes piece by piece.
 */
export async function openGrounds(
  paceMs: number,
  rows: readonly Hostile[] = hostileReceivers,
): Promise<OpenGrounds> {
  const receivers: Receiver[] = [];
  const keep = async (opening: Promise<Receiver>): Promise<Receiver> => {
    const opened = await opening;
    receivers.push(opened);
    return opened;
  };
  const trap = await keep(openReceiver(response(200)));
  const names = await openNameServer(zone);
  const urls = await Promise.all(rows.map((row) => row.build({ paceMs, trapUrl: trap.url, keep })));
  return {
    urls,
    names: names.address,
    ca: authorities,
    trap,
    async close() {
      names.close();
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}

/** The world that stands on these grounds. */
export const worldOn = (
  { urls, names, ca }: Grounds,
  rows: readonly Hostile[] = hostileReceivers,
): World => ({
  endpoints: rows.map((row, n) => ({ id: `endpoint ${n}`, url: urls[n] ?? '', row })),
  transport: { allow: ['127.0.0.1/32'], ca, lookup: createLookup({ servers: [names] }) },
});
