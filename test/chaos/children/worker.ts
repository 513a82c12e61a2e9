/** A scheduler, a transport and a store in a process of their own. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createScheduler } from 'headgate/delivery';
import { createHttpTransport } from 'headgate/http';
import { createSigner } from 'headgate/signing';
import { targetOf } from '../endpoints.js';
import { openJournal } from '../journal.js';
import { observe, tellFaults } from '../observed.js';
import { limitPages, setPages } from '../sites/pages.js';
import { openSite } from '../sites/site.js';
import { type Command, SECRET, type WorkerSettings } from './messages.js';

const PULSE_MS = 200;

const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings;
const { name, receiver, leaseMs, pollMs, concurrency, timeoutMs } = settings;
const write = openJournal(settings.journal);
if (settings.pages !== undefined) limitPages(settings.pages);
const site = await openSite(settings.site);
const http = createHttpTransport({ allow: ['127.0.0.0/8'], timeoutMs });
const { store, transport, calls } = observe(name, site.store, http, write);
const scheduler = createScheduler({
  store,
  transport,
  endpoints: targetOf(receiver),
  signer: createSigner({ secrets: SECRET }),
  concurrency,
  leaseMs,
  pollMs,
  on: tellFaults(write),
});

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
function pulse(): void {
  const { user, system } = process.cpuUsage();
  write({ is: 'pulse', cpuMs: (user + system) / 1_000, calls: calls(), delayMs: delay.max / 1e6 });
  delay.reset();
}
setInterval(pulse, PULSE_MS);

async function stop(): Promise<void> {
  await scheduler.stop();
  await transport.close();
  await site.close();
  pulse();
  process.exit();
}

const realNow = Date.now.bind(Date);
process.on('message', (command: Command) => {
  if (command.do === 'stop') void stop();
  if (command.do === 'clock') Date.now = () => realNow() + command.byMs;
  if (command.do === 'pages') setPages(command.pages);
});
process.once('disconnect', () => process.exit());
scheduler.start();
write({ is: 'ready' });
process.send?.('ready');
