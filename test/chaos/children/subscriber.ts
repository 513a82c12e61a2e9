/** An SDK client with a name, in a process of its own. It writes down each event before it acknowledges it. */
import { openSync, writeSync } from 'node:fs';
import { createClient, type ReceivedEvent } from 'headgate/client';
import type { Noted, SubscriberSettings } from '../host/messages.js';

const { url, project, key, client: name, journal } = JSON.parse(process.argv[2] ?? '') as SubscriberSettings;
/** One in this many of the numbered events gets a reply. */
const REPLIES = 10;

const file = openSync(journal, 'a');
const note = (line: Noted): void => void writeSync(file, `${JSON.stringify(line)}\n`);

const orderOf = ({ data }: ReceivedEvent): number => (data as { body: { n: number } }).body.n;

const client = createClient({ url, project, key, name });
client.on('state', (change) => {
  if (change.state === 'open') {
    note({ is: 'open', position: change.position });
    process.send?.('open');
  }
  if (change.state === 'closed' && change.reason !== null) note({ is: 'ended', code: change.reason.code });
});
client.on('gap', ({ from, to, reason }) => note({ is: 'gap', from, to, reason }));
// Connections break all the time here; what ends the client is noted above.
client.on('error', () => undefined);
client.on('event', async ({ event, position, attempt }) => {
  note({ is: 'event', position, id: event.id, attempt });
  const order = orderOf(event);
  if (order % REPLIES !== 0) return;
  await client.reply(event.id, { n: order, by: name }, 'answer');
  note({ is: 'replied', id: event.id, n: order });
});
note({ is: 'started' });
process.on('message', () => void client.close().then(() => process.exit()));
process.once('disconnect', () => process.exit());
