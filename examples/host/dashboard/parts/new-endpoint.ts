/** Makes endpoints: with a URL of one's own, or with a built-in receiver. */
import { api, currentProject, type Input, type Output } from '../data/index.js';

type Settings = Omit<Input<'createEndpoint'>['body'], 'url'>;
export type Endpoint = Output<'createEndpoint'>;

/** A receiver without an endpoint is of no use, so it goes where that cannot be made. */
export async function createWithReceiver(settings: Settings): Promise<Endpoint> {
  const project = currentProject();
  const name = settings.name ?? 'Built-in receiver';
  const receiver = await api.createReceiver({ project, body: { name } });
  try {
    return await api.createEndpoint({ project, body: { ...settings, url: receiver.url, name } });
  } catch (error) {
    await api.deleteReceiver({ project, receiver: receiver.id }).catch(() => undefined);
    throw error;
  }
}

/** The built-in receiver at a URL; null if there is none. */
export async function receiverAt(url: string, signal: AbortSignal): Promise<Receiver | null> {
  const project = currentProject();
  const { items } = await api.listReceivers({ project, query: { limit: 200 }, signal });
  return items.find((receiver) => receiver.url === url) ?? null;
}

export type Receiver = Output<'listReceivers'>['items'][number];
