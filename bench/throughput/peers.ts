/** Job queues that deliver the same way: their work begins where a job comes out, and ends where it is completed. */
import { Queue, Worker } from 'bullmq';
import PgBoss from 'pg-boss';
import { Agent, request } from 'undici';
import { CONCURRENCY, type Contender, eventBody, signer } from './delivering.js';

/** The payload of a job. */
interface Parcel {
  readonly event: string;
  readonly body: string;
}

const NAME = 'deliveries';
const agent = new Agent();

/** Signs and POSTs, and throws what is not 2xx, so that the queue tries again. */
async function send(url: string, { event, body }: Parcel): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const about = { eventId: event, eventType: 'webhook.received', origin: 'live', timestamp } as const;
  const headers = signer.headers(body, about);
  const response = await request(url, { dispatcher: agent, method: 'POST', headers, body });
  await response.body.dump();
  if (response.statusCode !== 204) throw new Error(`answered ${response.statusCode}`);
}

const parcels = (count: number): Parcel[] =>
  Array.from({ length: count }, (_, n) => ({
    event: `evt_${n}`,
    body: Buffer.from(eventBody(n)).toString(),
  }));

/** Resolves when it was called as often as was said before. */
function createCountdown() {
  let left = 0;
  let done = (): void => undefined;
  return {
    from: (count: number): Promise<void> => {
      left = count;
      return new Promise((resolve) => (done = resolve));
    },
    count: (by = 1): void => {
      left -= by;
      if (left === 0) done();
    },
  };
}

/**
 * pg-boss looks for jobs every half second at most; so it gets them by the thousand, of which as many are sent at a
 * time.
 */
export async function pgBoss(connectionString: string, url: string): Promise<Contender> {
  const boss = new PgBoss({ connectionString, schema: 'bench_boss' });
  await boss.start();
  await boss.createQueue(NAME);
  const countdown = createCountdown();
  let waiting = 0;
  return {
    name: 'pg-boss',
    prepare: async (count) => {
      waiting = count;
      await boss.insert(
        parcels(count).map((data) => ({ name: NAME, data, retryLimit: 4, retryBackoff: true })),
      );
    },
    deliver: async () => {
      const all = countdown.from(waiting);
      const work = { batchSize: 1_000, pollingIntervalSeconds: 0.5 };
      await boss.work<Parcel>(NAME, work, async (jobs) => {
        const queue = [...jobs];
        const lane = async (): Promise<void> => {
          for (let job = queue.pop(); job !== undefined; job = queue.pop()) await send(url, job.data);
        };
        await Promise.all(Array.from({ length: CONCURRENCY }, lane));
        countdown.count(jobs.length);
      });
      await all;
      await boss.offWork(NAME);
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** Redis writes every command to its log before it answers, as the databases do. */
export function bullmq(port: number, url: string): Contender {
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue<Parcel>(NAME, { connection });
  const countdown = createCountdown();
  let waiting = 0;
  return {
    name: 'BullMQ',
    prepare: async (count) => {
      waiting = count;
      const opts = { attempts: 5, backoff: { type: 'exponential', delay: 60_000 } };
      await queue.addBulk(parcels(count).map((data) => ({ name: NAME, data, opts })));
    },
    deliver: async () => {
      const all = countdown.from(waiting);
      const worker = new Worker<Parcel>(NAME, ({ data }) => send(url, data), {
        connection,
        concurrency: CONCURRENCY,
      });
      worker.on('completed', () => countdown.count());
      await all;
      await worker.close();
    },
    close: () => queue.close(),
  };
}
