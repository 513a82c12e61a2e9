/** SDK clients that are connected, so that no event comes before them. */
import { type Client, createClient } from 'headgate/client';
import type { Project, Whole } from './whole.js';

/** @param got - Called with the id of each event. */
export async function listening(
  host: Whole,
  project: Project,
  name: string,
  got: (id: string) => void,
): Promise<Client> {
  const client = createClient({ url: host.url, project: project.id, key: project.key, name });
  client.on('event', ({ event }) => got(event.id));
  await new Promise<void>((resolve) => {
    client.on('state', ({ state }) => {
      if (state === 'open') resolve();
    });
  });
  return client;
}
