/**
 * A host that writes orders of its own and enqueues their deliveries with them. Some it takes back at the last moment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { dispatchOf } from '../endpoints.js';
import { openJournal } from '../journal.js';
import { codeOf } from '../observed.js';
import { limitPages, setPages } from '../sites/pages.js';
import { openSite } from '../sites/site.js';
import type { Command, HostSettings } from './messages.js';

/** Every how manyth order is written, enqueued and rolled back before it is written for good. */
const UNDONE = 10;
const REST_MS = 100;

const settings = JSON.parse(process.argv[2] ?? '') as HostSettings;
const { orders, perSecond, apart, keys } = settings;
const write = openJournal(settings.journal);
if (settings.pages !== undefined) limitPages(settings.pages);
const site = await openSite(settings.site);

/** Nobody has seen this id: what is not committed must never arrive. */
const newEvent = (order: number): string => `evt_${order}_${crypto.randomUUID()}`;

/** Enqueues without the host's own row, which follows. */
async function enqueueApart(order: number, event: string): Promise<void> {
  await site.store.enqueue([dispatchOf(order, event, keys)]);
  write({ is: 'enqueued', order, event });
}

let tries = 0;

async function place(number: number): Promise<void> {
  if (number % UNDONE === 0) await tried(number, (order, dispatch) => site.place(order, dispatch, true));
  const isApart = apart > 0 && ++tries % apart === 0;
  await tried(number, async (order, dispatch) => {
    if (isApart) await enqueueApart(number, order.event);
    await site.place(order, isApart ? { ...dispatch, deliveries: [] } : dispatch, false);
  });
}

type Placing = (
  order: { number: number; event: string },
  dispatch: ReturnType<typeof dispatchOf>,
) => Promise<void>;

async function tried(number: number, placing: Placing): Promise<void> {
  const event = newEvent(number);
  write({ is: 'ordering', event });
  try {
    await placing({ number, event }, dispatchOf(number, event, keys));
  } catch (error) {
    write({ is: 'refused', event, code: codeOf(error) });
    throw error;
  }
}

process.on('message', (command: Command) => {
  if (command.do === 'pages') setPages(command.pages);
});
process.once('disconnect', () => process.exit());
write({ is: 'ready' });
process.send?.('ready');

const startedAt = performance.now();
for (let placed = 0; ;) {
  try {
    const last = await site.lastOrder();
    if (last >= orders) break;
    await place(last + 1);
    placed++;
    await sleep(Math.max(0, startedAt + (placed * 1_000) / perSecond - performance.now()));
  } catch {
    // The error is in the journal.
    await sleep(REST_MS);
  }
}
await site.close();
process.exit();
