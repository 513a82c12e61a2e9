/** An SDK client, and a ledger of what it got. */
import { type Client, type ClientEvent, createClient } from 'headgate/client';

/** The name under which the host keeps the client's cursor. */
export const CLIENT_NAME = 'npm-start';

/** The events that the client has received, and whatever went wrong. */
export interface Listener {
  /** Events by position, each once. */
  readonly events: ReadonlyMap<number, ClientEvent['event']>;
  /** Events that came again after the host was killed. */
  readonly repeats: number;
  /** Ids of events that it has replied to, once the host has stored the replies. */
  readonly replied: ReadonlySet<string>;
  /** Violations of the order: a position out of order, a gap, an error that ends the client. */
  readonly problems: readonly string[];
  /** Says what comes from now on. */
  tell(about: (eventId: string) => void): void;
  close(): Promise<void>;
}

/**
 * Resolves once the host has welcomed the client: a new name begins with what comes after that.
 *
 * @param isAnswered - Which events it replies to.
 */
export async function listen(
  options: { readonly url: string; readonly project: string; readonly key: string },
  isAnswered: (event: ClientEvent['event']) => boolean,
): Promise<Listener> {
  const events = new Map<number, ClientEvent['event']>();
  const replied = new Set<string>();
  const problems: string[] = [];
  let [highest, repeats] = [0, 0];
  let about: (eventId: string) => void = () => undefined;
  const client: Client = createClient({ ...options, name: CLIENT_NAME });
  client.on('event', async ({ event, position }) => {
    if (events.has(position)) repeats++;
    else if (position !== highest + 1) problems.push(`position ${position} came after ${highest}`);
    highest = Math.max(highest, position);
    events.set(position, event);
    // The id makes a reply that is sent again the same one.
    if (isAnswered(event)) {
      await client.reply(event.id, { seen_at: position }, 'seen');
      replied.add(event.id);
    }
    about(event.id);
  });
  client.on('gap', ({ from, to, reason }) =>
    problems.push(`positions ${from} to ${to} did not come: ${reason}`),
  );
  // While the host is away the client connects again; that is what this run is about.
  client.on('error', (error, { retryMs }) => {
    if (retryMs === undefined) problems.push(`the client: ${error.code}`);
  });
  await new Promise<void>((resolve) => {
    client.on('state', ({ state }) => {
      if (state === 'open' || state === 'closed') resolve();
    });
  });
  return {
    events,
    get repeats() {
      return repeats;
    },
    replied,
    problems,
    tell: (to) => void (about = to),
    close: () => client.close(),
  };
}
