/** The HTTP transport. */
import { Agent } from 'undici/index.js'; // by its file, since Bun replaces 'undici' with a shim
import type { AttemptRequest, Transport, TransportAnswer } from '../../delivery/transport.js';
import { ATTEMPT_TIMEOUT_MS } from '../../delivery/transport.js';
import { createAddressGuard } from './address-guard.js';
import { createConnector } from './connect.js';
import { createDrains } from './drain.js';
import { exchange } from './exchange.js';
import { failed, failureOf } from './failure.js';
import { createLookup } from './lookup.js';
import { assertOptions, type HttpTransportOptions } from './options.js';
import { parseTarget } from './url.js';
import { Recording, Wire } from './wire.js';

/** How long an unused connection is kept by default; less than the 5 s of Node's own server. */
const KEEP_ALIVE_MS = 4_000;
/** How long an unused connection is kept at most, if the receiver asks for more. */
const MAX_KEEP_ALIVE_MS = 30_000;
/** Most unused connections, to all receivers; beyond that, connections are closed after use. */
const MAX_IDLE = 512;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Delivers over HTTP/1.1, to public addresses only. It does not follow redirects or use proxies of the environment,
 * and keeps response bodies only with the option `exchange`.
 *
 * @example
 * ```ts
 * import { createHttpTransport } from 'headgate/http';
 *
 * const transport = createHttpTransport(); // hand it to createScheduler
 * await transport.close(); // once the scheduler has stopped
 * ```
 * @param options - All may be left out.
 * @throws {@link OptionError} `invalid_option`, naming every option that is unknown, of the wrong type or out of
 *   bounds.
 */
export function createHttpTransport(options: HttpTransportOptions = {}): Transport {
  assertOptions(options);
  const { timeoutMs = ATTEMPT_TIMEOUT_MS, lookup = createLookup(), ca, exchange: keeps = false } = options;
  const guard = createAddressGuard(options);
  const wire = keeps ? new Wire() : null;
  const watch = wire === null ? {} : { connected: wire.watch };
  const connector = createConnector({ guard, lookup, ca, timeoutMs, ...watch });
  const drains = createDrains();
  const agent = new Agent({
    connect: connector.connect,
    // exchange() has the only deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  let sending = 0;

  async function send(attempt: AttemptRequest, signal: AbortSignal): Promise<TransportAnswer> {
    const { url, headers, body } = attempt;
    const reset = connector.open.size - sending > MAX_IDLE;
    sending++;
    try {
      const target = parseTarget(url, guard);
      if (!(target instanceof URL)) return failed(target.code, target.message);
      const { origin, pathname, search } = target;
      const request = { origin, path: pathname + search, method: 'POST', headers, body, reset } as const;
      const recording = wire !== null && attempt.exchange !== false ? new Recording() : null;
      return await exchange(agent, request, { timeoutMs, signal, drains, wire, recording });
    } catch (error) {
      return failureOf(error);
    } finally {
      sending--;
    }
  }

  async function close(): Promise<void> {
    await agent.destroy();
    await connector.close();
  }
  return { send, close };
}
