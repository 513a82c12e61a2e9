/** A process that does what its parent tells it to: sends events, or receives deliveries. */
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certified } from '../../../test/hostile/certificates.js';
import { sendAll, sendPaced } from './load.js';
import { BODY } from './workload.js';

/** Events to send; to several addresses, in turn. */
interface Sending {
  readonly send: string | readonly string[];
  /** @defaultValue `BODY` */
  readonly body?: string;
}

/** The tasks of the process. */
export type Task =
  | (Sending & { readonly count: number; readonly connections: number })
  | (Sending & { readonly rate: number; readonly seconds: number })
  | { readonly receive: Certified | null }
  | { readonly received: true };

async function work(task: Task): Promise<unknown> {
  if ('receive' in task) return receive(task.receive);
  if ('received' in task) return received;
  const { send, body = BODY } = task;
  return 'rate' in task ? sendPaced(send, [body], { ...task, warmMs: 1_000 }) : sendAll(send, body, task);
}

let received = 0;
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

/** Answers requests as soon as they have arrived, with as little work as possible. */
function answer(socket: Socket): void {
  let text = '';
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    const end = text.indexOf('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    if (end < 0 || text.length < end + 4 + Number(length ?? 0)) return;
    text = '';
    received++;
    socket.write(NO_CONTENT);
  });
}

/** Answers 204 at once, over TLS if it has a certificate; the answer is its URL. */
function receive(certified: Certified | null): Promise<string> {
  const server = certified === null ? createTcpServer(answer) : createTlsServer(certified, answer);
  const scheme = certified === null ? 'http' : 'https';
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`),
    );
  });
}

process.on('message', (task: Task) => void work(task).then((answer) => process.send?.(answer)));
process.on('disconnect', () => process.exit());
