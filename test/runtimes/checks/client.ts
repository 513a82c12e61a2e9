/** The client, on a host of the run: the protocol on real sockets. */
import { createClient, type Client } from 'headgate/client';
import { given } from '../given.js';
import { type Checks, equal } from './checks.js';

/** Events in the host's log. */
const EVENTS = 100;

const connect = (key = 'hg_test'): Client =>
  createClient({
    url: given.streamHost,
    project: 'p1',
    key,
    name: `runtime-${crypto.getRandomValues(new Uint32Array(1))[0]}`,
  });

/** The checks of the client. */
export const clientChecks: Checks = {
  'a client gets all events once and in order, and replies, though its connection breaks': async () => {
    const client = connect();
    const got: number[] = [];
    const lost: string[] = [];
    client.on('error', ({ code }) => lost.push(code));
    await new Promise<void>((resolve) => {
      client.on('event', async ({ event, position }) => {
        got.push(position);
        if (position % 10 === 0) await client.reply(event.id, { position });
        if (position === EVENTS) resolve();
      });
    });
    await client.close();
    equal(
      got,
      Array.from({ length: EVENTS }, (_, n) => n + 1),
      'positions',
    );
    equal(lost, ['connection_lost'], 'errors');
    equal(await client.closed, null, 'closed');
  },

  'a key that is refused ends the client': async () => {
    const client = connect('hg_revoked');
    client.on('error', () => undefined);
    equal((await client.closed)?.code, 'unauthorized', 'closed');
  },

  'a host that is away is tried again, until the client is closed': async () => {
    const client = createClient({ url: 'http://127.0.0.1:9', project: 'p1', key: 'hg_test' });
    const codes: string[] = [];
    await new Promise<void>((resolve) => {
      client.on('error', ({ code }) => codes.push(code) === 2 && resolve());
    });
    await client.close();
    equal(codes, ['connection_failed', 'connection_failed'], 'errors');
  },
};
