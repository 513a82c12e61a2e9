/** Sends events over connections that stay open, and measures the time to the answer. */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** The result of sending. */
export interface Sent {
  /** Ms from the first request to the last answer. */
  readonly ms: number;
  /** Ms to each 202, ascending. */
  readonly times: readonly number[];
  /** All 202s, with those whose times are not counted. */
  readonly accepted: number;
  /** Answers of another status. */
  readonly refused: number;
}

/** A connection that has one request at a time. */
interface Connection {
  /** Resolves to the status and the body. */
  send(request: string): Promise<readonly [status: number, body: string]>;
  /** False once the server has closed it. */
  readonly isOpen: boolean;
  end(): void;
}

/** The text of a request. */
export function requestOf(address: string, body: string, headers = ''): string {
  const { pathname, host } = new URL(address);
  const length = Buffer.byteLength(body);
  return `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${headers}content-length: ${length}\r\n\r\n${body}`;
}

/** A request, and the origin that takes it. */
interface Addressed {
  readonly origin: string;
  readonly text: string;
}

/** Sends the bodies to the addresses, each in turn. */
const requestsTo = (addresses: readonly string[], bodies: readonly string[]): readonly Addressed[] =>
  Array.from({ length: Math.max(addresses.length, bodies.length) }, (_, i) => {
    const address = addresses[i % addresses.length] ?? '';
    return { origin: new URL(address).origin, text: requestOf(address, bodies[i % bodies.length] ?? '') };
  });

async function open(origin: string): Promise<Connection> {
  const { port, hostname } = new URL(origin);
  const socket: Socket = connect(Number(port), hostname).setNoDelay(true);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let text = '';
  let waiting: { resolve(answer: readonly [number, string]): void; reject(error: Error): void } | null = null;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    const end = text.indexOf('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    const isDone =
      length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length);
    if (end < 0 || !isDone) return;
    const answer = text;
    text = '';
    waiting?.resolve([Number(answer.slice(9, 12)), answer.slice(end + 4)]);
  });
  const lost = (): void => waiting?.reject(new Error('the connection was closed'));
  socket.on('error', lost).on('close', lost);
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    get isOpen() {
      return !socket.destroyed && !socket.readableEnded;
    },
    end: () => void socket.destroy(),
  };
}

/** Most connections to one origin: requests beyond that wait for one. */
const MOST_CONNECTIONS = 1_000;

/** The connections to one origin. */
interface Connections {
  take(): Promise<Connection>;
  /** Gives a connection back, even one that has ended. */
  give(connection: Connection): void;
  end(): void;
}

function createConnections(origin: string): Connections {
  const idle: Connection[] = [];
  const waiting: ((connection: Connection | null) => void)[] = [];
  let count = 0;
  const take = async (): Promise<Connection> => {
    for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
      if (one.isOpen) return one;
      count--;
    }
    if (count >= MOST_CONNECTIONS) {
      const given = await new Promise<Connection | null>((resolve) => waiting.push(resolve));
      return given ?? take();
    }
    count++;
    return open(origin);
  };
  return {
    take,
    give(connection) {
      if (!connection.isOpen) count--;
      const next = waiting.shift();
      if (next !== undefined) next(connection.isOpen ? connection : null);
      else if (connection.isOpen) idle.push(connection);
    },
    end() {
      for (const connection of idle) connection.end();
    },
  };
}

const sentOf = (began: number, times: number[], accepted: number, refused: number): Sent => ({
  ms: performance.now() - began,
  times: times.sort((a, b) => a - b),
  ...{ accepted, refused },
});

/** As fast as answers come, to addresses of one host. */
export async function sendAll(
  addresses: string | readonly string[],
  body: string,
  { count, connections }: { readonly count: number; readonly connections: number },
): Promise<Sent> {
  const requests = requestsTo([addresses].flat(), [body]);
  const all = await Promise.all(Array.from({ length: connections }, () => open(requests[0]?.origin ?? '')));
  const times: number[] = [];
  let [left, refused] = [count, 0];
  const began = performance.now();
  await Promise.all(
    all.map(async (connection) => {
      while (left-- > 0) {
        const at = performance.now();
        const [status] = await connection.send(requests[left % requests.length]?.text ?? '');
        if (status === 202) times.push(performance.now() - at);
        else refused++;
      }
    }),
  );
  for (const connection of all) connection.end();
  return sentOf(began, times, times.length, refused);
}

/** The options of a paced sender. */
export interface Paced {
  /** Events a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Times of requests that were due before are not counted. */
  readonly warmMs?: number;
  /** Called with each event that was taken, and with the time at which its request was due. */
  readonly accepted?: (id: string, dueAt: number) => void;
}

/**
 * At a rate, whether or not answers come: times count from when a request was due, so that waiting for a connection
 * counts.
 */
export async function sendPaced(
  addresses: string | readonly string[],
  bodies: readonly string[],
  { rate, seconds, warmMs = 0, accepted }: Paced,
): Promise<Sent> {
  const requests = requestsTo([addresses].flat(), bodies);
  const pools = new Map(requests.map(({ origin }) => [origin, createConnections(origin)]));
  const times: number[] = [];
  let [taken, refused] = [0, 0];
  const began = performance.now();
  const one = async (n: number, due: number): Promise<void> => {
    const { origin, text } = requests[n % requests.length]!;
    const pool = pools.get(origin)!;
    const connection = await pool.take();
    // A request that is refused before its body is read may cost the connection.
    const lost = (): readonly [number, string] => [0, ''];
    const [status, body] = await connection.send(text).catch(lost);
    if (status !== 202) connection.end();
    pool.give(connection);
    if (status !== 202) {
      refused++;
      return;
    }
    taken++;
    if (due - began >= warmMs) {
      times.push(performance.now() - due);
      accepted?.((JSON.parse(body) as { id: string }).id, due);
    }
  };
  const all: Promise<void>[] = [];
  for (let n = 0; n < rate * seconds; n++) {
    const due = began + (n * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    all.push(one(n, due));
  }
  await Promise.all(all);
  for (const pool of pools.values()) pool.end();
  return sentOf(began, times, taken, refused);
}
