/** A host with one project that has receivers, for tests. */
import type { Database } from '../../src/db/index.js';
import { type Answered, hostOn, type HostWorld } from '../world.js';

/** A receiver as the API shows it. */
export interface Made {
  readonly id: string;
  readonly url: string;
  readonly arrived: number;
  readonly version: number;
}

/** A request as the API shows it. */
export interface Shown {
  readonly id: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly body_bytes: number;
  readonly body_cut: boolean;
  readonly status_code: number;
  readonly event_id: string | null;
  readonly verdict: {
    readonly ok: boolean;
    readonly code: string | null;
    readonly channel_id: string | null;
    readonly secret_ids: readonly string[];
  };
}

/** The host, and what tests of receivers do with it. */
export interface ServedReceivers extends HostWorld {
  readonly receiver: (settings?: object) => Promise<Made>;
  readonly requests: (receiver: Made, query?: string) => Promise<readonly Shown[]>;
  readonly set: (receiver: Made, settings: object) => Promise<Answered>;
  /** Makes an endpoint of any URL. */
  readonly endpointAt: (url: string, settings?: object) => Promise<Answered>;
}

/** The address guard lets nothing through to this machine: what arrives has not gone over the network. */
export async function serveOn(
  db: Database,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedReceivers> {
  const host = await hostOn(db, { HEADGATE_ALLOW: '', ...environment });
  const under = `/projects/${host.project}`;
  return {
    ...host,
    async receiver(settings = {}) {
      const made = await host.call('POST', `${under}/receivers`, { name: 'Inbox', ...settings });
      if (made.status !== 201) throw new Error(made.text);
      return made.json as Made;
    },
    requests: async ({ id }, query = '') =>
      (await host.call('GET', `${under}/receivers/${id}/requests${query}`)).json.items as Shown[],
    set: ({ id }, settings) => host.call('PATCH', `${under}/receivers/${id}`, settings),
    endpointAt: (url, settings = {}) => host.call('POST', `${under}/endpoints`, { url, ...settings }),
  };
}
